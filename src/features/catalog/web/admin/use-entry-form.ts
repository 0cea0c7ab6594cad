import { useState } from 'react'
import type { DefaultValues, FieldValues, Path } from 'react-hook-form'
import type * as z from 'zod/mini'
import { messageOf } from '#kit/caller.ts'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'

interface Options<Entry, In extends FieldValues, Out> {
  /** The noun in toasts and confirmations, such as "plan". */
  noun: string
  nameOf: (entry: Entry) => string
  schema: z.core.$ZodType<Out, In>
  fields: readonly Path<In>[]
  /** The edited entry; null adds a new entry. */
  entry: Entry | null
  /** The initial values. */
  valuesOf: (entry: Entry | null) => In
  /** Adds an entry. If absent, entries can only be edited. */
  create?: (values: Out) => Promise<Entry>
  update: (entry: Entry, values: Out) => Promise<Entry>
  /** Deletes an entry. If absent, entries cannot be deleted. */
  remove?: (entry: Entry) => Promise<unknown>
  /** Loads the current version of the entry. */
  reload: (entry: Entry) => Promise<Entry | undefined>
}

/** The form of a dialog that adds or edits a catalog entry. The dialog is initially open. */
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
    const saved = current ? await update(current, values) : await create?.(values)
    if (!saved) return
    setOpen(false)
    toast({ title: current ? `${capital} updated` : `${capital} added`, description: nameOf(saved) })
  })
  const deleteEntry = async () => {
    if (!current || !remove || isRemoving) return
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
      // The clicked button disappears with the message, so the first field gets the focus.
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
    deleteEntry: deleteEntry,
    isRemoving,
    showCurrent,
  }
}
export type EntryForm = Pick<
  ReturnType<typeof useEntryForm<never, FieldValues, never>>,
  'noun' | 'formId' | 'open' | 'setOpen' | 'name' | 'deleteEntry' | 'isRemoving' | 'showCurrent'
> & {
  form: Pick<
    ReturnType<typeof useSchemaForm>,
    'isDirty' | 'pending' | 'button' | 'failure' | 'failureCode' | 'problems'
  >
  submit: (event: never) => unknown
}
