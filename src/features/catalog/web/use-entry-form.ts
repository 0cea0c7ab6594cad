import { useState } from 'react'
import type { DefaultValues, FieldValues, Path } from 'react-hook-form'
import type * as z from 'zod/mini'
import { messageOf } from '#kit/caller.ts'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast.ts'

interface Options<Entry, In extends FieldValues, Out> {
  /** "plan": for toasts and questions. */
  noun: string
  nameOf: (entry: Entry) => string
  schema: z.core.$ZodType<Out, In>
  fields: readonly Path<In>[]
  /** What is edited; null adds a new one. */
  entry: Entry | null
  /** What the form starts with. */
  valuesOf: (entry: Entry | null) => In
  create: (values: Out) => Promise<Entry>
  update: (entry: Entry, values: Out) => Promise<Entry>
  remove: (entry: Entry) => Promise<unknown>
  /** The entry as it is now, when somebody else was faster. */
  reload: (entry: Entry) => Promise<Entry | undefined>
}

/** A dialog's form over one entry of the catalogue: open from its first rendering, added or changed once, told in a toast. */
export function useEntryForm<Entry, In extends FieldValues, Out>(options: Options<Entry, In, Out>) {
  const { noun, nameOf, schema, fields, entry, valuesOf, create, update, remove, reload } = options
  const [open, setOpen] = useState(true)
  const [current, setCurrent] = useState(entry)
  const [isRemoving, setRemoving] = useState(false)
  const capital = noun.charAt(0).toUpperCase() + noun.slice(1)
  const failed = (title: string) => (message: string) => toast({ title, description: message, variant: 'destructive' })
  const form = useSchemaForm({
    schema,
    id: 'entry',
    fields,
    defaultValues: valuesOf(current) as DefaultValues<In>,
    onFailure: failed(current ? 'Update Failed' : `${capital} not added`),
  })

  const submit = form.onSubmit(async (values) => {
    const saved = current ? await update(current, values) : await create(values)
    setOpen(false)
    toast({ title: current ? `${capital} updated` : `${capital} added`, description: nameOf(saved) })
  })
  const takeAway = async () => {
    if (!current || isRemoving) return
    setRemoving(true)
    try {
      await remove(current)
      setOpen(false)
      toast({ title: `${capital} deleted`, description: nameOf(current) })
    } catch (error) {
      failed(`${capital} not deleted`)(messageOf(error))
    }
    setRemoving(false)
  }
  const showCurrent = async () => {
    if (!current) return
    try {
      const now = await reload(current)
      if (!now) return setOpen(false)
      setCurrent(now)
      form.reset(valuesOf(now))
      // The button that was pressed goes away with the message.
      document.getElementById(`entry-${fields[0]}`)?.focus()
    } catch (error) {
      failed('Error loading data')(messageOf(error))
    }
  }
  return {
    noun,
    form,
    formId: 'entry',
    open,
    setOpen,
    current,
    name: current && nameOf(current),
    submit,
    takeAway,
    isRemoving,
    showCurrent,
  }
}
export type EntryForm = Pick<
  ReturnType<typeof useEntryForm<never, FieldValues, never>>,
  'noun' | 'formId' | 'open' | 'setOpen' | 'name' | 'takeAway' | 'isRemoving' | 'showCurrent'
> & {
  form: Pick<
    ReturnType<typeof useSchemaForm>,
    'isDirty' | 'pending' | 'button' | 'failure' | 'failureCode' | 'problems'
  >
  submit: (event: never) => unknown
}
