import { useId, useState } from 'react'
import type { DefaultValues, FieldValues, Path } from 'react-hook-form'
import type * as z from 'zod/mini'
import { serverMessageOr } from '#kit/caller.ts'
import type { RowDialogProps } from '../table/row-dialogs.tsx'
import { toast } from '../toast.ts'
import { useSchemaForm } from './use-schema-form.ts'

interface Options<R, In extends FieldValues, Out> extends Pick<RowDialogProps<R>, 'opened' | 'current'> {
  schema: (row: R) => z.core.$ZodType<Out, In>
  fields: readonly Path<In>[]
  /** What the form starts with. */
  valuesOf: (row: R) => In
  /** Saves what was decided about the row as it was shown; undefined when there was nothing to save. */
  save: (row: R, values: Out) => Promise<R | undefined>
  /** Told in a toast once it is saved. */
  saved: (now: R) => { title: string; description: string }
  /** Told in a toast where the server does not say itself why it refused. */
  failed?: string
  /** Whether the list shows a later state of the row than the dialog does, and what to say of it. */
  overtaken: (row: R, now: R) => string | false
  /** The row as it is now. */
  again: (row: R) => Promise<R | undefined>
}

/** A form in a dialog over one row, for a FormDialog: when somebody else was faster it says so, and shows the row as it is now. */
export function useRowForm<R, In extends FieldValues, Out>(options: Options<R, In, Out>) {
  const { opened, current, schema, fields, valuesOf, save, saved, failed, overtaken, again } = options
  const formId = useId()
  const [row, setRow] = useState(opened)
  const [open, setOpen] = useState(true)
  const form = useSchemaForm({
    schema: schema(row),
    id: formId,
    fields,
    defaultValues: valuesOf(opened) as DefaultValues<In>,
    onFailure: (message, error) =>
      toast({
        title: 'Update Failed',
        description: failed ? serverMessageOr(error, failed) : message,
        variant: 'destructive',
      }),
  })
  const submit = form.onSubmit(async (values) => {
    const now = await save(row, values)
    setOpen(false)
    if (now) toast(saved(now))
  })
  const reload = async () => {
    const now = await again(row)
    if (!now) return setOpen(false)
    setRow(now)
    form.reset(valuesOf(now))
    // The button that was pressed goes away with the message.
    document.getElementById(`${formId}-${fields[0]}`)?.focus()
  }
  const changed = open && !form.pending && !form.failure && current && overtaken(row, current)
  const message = changed || (form.problems.length === 0 && form.failure)
  return {
    row,
    form,
    submit,
    /** For `<FormDialog {...dialog}>`. */
    dialog: {
      open,
      onClose: () => setOpen(false),
      formId,
      dirty: form.isDirty,
      pending: form.pending,
      trouble: message
        ? { message, onReload: changed || form.failureCode === 'stale' ? reload : undefined }
        : undefined,
    },
  }
}
