import { useState } from 'react'
import type { DefaultValues, FieldValues, Path } from 'react-hook-form'
import type * as z from 'zod/mini'
import { ApiError } from '#kit/caller.ts'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'

interface Options<In extends FieldValues, Out, Stored> {
  title: string
  id: string
  schema: z.core.$ZodType<Out, In>
  fields: readonly Path<In>[]
  stored: Stored
  /** Returns the form values for the stored settings. */
  shownOf: (stored: Stored) => In
  save: (body: { version: string; value: Out }) => Promise<Stored>
  load: () => Promise<Stored>
  /** Called with settings that were saved or loaded again. */
  onShown: (stored: Stored) => void
  /** Returns the description of the toast after saving. */
  saved: (value: Out, stored: Stored) => string
}

/** The form of a section with its own endpoints: like `useSettingForm`, but a typed secret is cleared after saving. */
export function useOwnSettingForm<In extends FieldValues, Out, Stored extends { version: string }>({
  title,
  id,
  schema,
  fields,
  stored: initial,
  shownOf,
  save,
  load,
  onShown,
  saved,
}: Options<In, Out, Stored>) {
  const [stored, setStored] = useState(initial)
  const form = useSchemaForm({
    schema,
    id,
    fields,
    defaultValues: shownOf(initial) as DefaultValues<In>,
    onFailure: (message) => toast({ title: 'Settings not saved', description: message, variant: 'destructive' }),
  })
  const show = (now: Stored) => {
    setStored(now)
    form.reset(shownOf(now))
    onShown(now)
  }
  const submit = form.onSubmit(async (value) => {
    try {
      const now = await save({ version: stored.version, value })
      show(now)
      toast({ title: 'Settings saved', description: `${title}: ${saved(value, now)}` })
    } catch (error) {
      // The form holds only `value`, so its field paths have no prefix.
      if (error instanceof ApiError) for (const issue of error.issues) issue.path = issue.path.replace(/^value\./, '')
      throw error
    }
  })
  return { form, submit, showCurrent: async () => show(await load()), title, stored }
}
