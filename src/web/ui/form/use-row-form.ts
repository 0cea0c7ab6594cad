import { useId, useState } from 'react'
import type { DefaultValues, FieldValues, Path } from 'react-hook-form'
import type * as z from 'zod/mini'
import { serverMessageOr } from '#kit/caller.ts'
import type { RowDialogProps } from '../table/row-dialogs.tsx'
import { toast } from '../toast/toast.ts'
import { useSchemaForm } from './use-schema-form.ts'

interface Options<R, In extends FieldValues, Out> extends Pick<RowDialogProps<R>, 'opened' | 'current'> {
  schema: (row: R) => z.core.$ZodType<Out, In>
  fields: readonly Path<In>[]
  /** The initial values. */
  valuesOf: (row: R) => In
  /** Saves the values. Returns the new row, or undefined when there was nothing to save. */
  save: (row: R, values: Out) => Promise<R | undefined>
  /** The toast after saving. */
  savedToast: (now: R) => { title: string; description: string }
  /** The toast text when the server gives no reason for the failure. */
  failureText?: string
  /** The message when the list has a newer version of the row than the dialog, otherwise false. */
  staleMessage: (row: R, now: R) => string | false
  /** Loads the current version of the row. */
  reloadRow: (row: R) => Promise<R | undefined>
}

/** The form of a FormDialog that edits a row. When someone else has changed the row, the dialog shows a message and a button that loads the current version. */
export function useRowForm<R, In extends FieldValues, Out>(options: Options<R, In, Out>) {
  const { opened, current, schema, fields, valuesOf, save, savedToast, failureText, staleMessage, reloadRow } = options
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
        description: failureText ? serverMessageOr(error, failureText) : message,
        variant: 'destructive',
      }),
  })
  const submit = form.onSubmit(async (values) => {
    const now = await save(row, values)
    setOpen(false)
    if (now) toast(savedToast(now))
  })
  const reload = async () => {
    const now = await reloadRow(row)
    if (!now) return setOpen(false)
    setRow(now)
    form.reset(valuesOf(now))
    // The reload button, which had the focus, disappears with the message.
    document.getElementById(`${formId}-${fields[0]}`)?.focus()
  }
  const staleText = open && !form.pending && !form.failure && current && staleMessage(row, current)
  const message = staleText || (form.problems.length === 0 && form.failure)
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
      error: message
        ? { message, onReload: staleText || form.failureCode === 'stale' ? reload : undefined }
        : undefined,
    },
  }
}
