import { useId, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  type SavedView,
  savedViewForm,
  updateSavedView,
} from '../admin-contract.ts'

interface Props {
  list: string
  /** The view to edit; undefined for a new one. */
  view: SavedView | undefined
  /** The search, filters, order and columns that the list currently shows. */
  current: Pick<SavedView, 'query' | 'hiddenColumns'>
  returnTo: () => HTMLElement | null
}

/** Saves what a list shows as a new view, or renames, shares, replaces or deletes an existing view. */
export function SavedViewDialog({ list, view, current, returnTo }: Props) {
  const id = useId()
  const [open, setOpen] = useState(true)
  const [replaces, setReplaces] = useState(false)
  const create = useSend(createSavedView, [listSavedViews])
  const update = useSend(updateSavedView, [listSavedViews])
  const remove = useSend(deleteSavedView, [listSavedViews])
  const form = useSchemaForm({
    schema: savedViewForm,
    id,
    fields: ['name', 'shared'],
    defaultValues: { name: view?.name ?? '', shared: view?.shared ?? false },
    onFailure: (message) => toast({ title: 'View not saved', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async (values) => {
    const kept = view && !replaces ? { query: view.query, hiddenColumns: view.hiddenColumns } : current
    const saved = view
      ? await update.mutateAsync({
          params: { savedViewId: view.id },
          body: { ...values, ...kept, version: view.version },
        })
      : await create.mutateAsync({ body: { list, ...values, ...kept } })
    setOpen(false)
    toast({ title: 'View saved', description: `${saved.name} is in the menu of views.` })
  })
  const onDelete = () =>
    remove.mutate(
      { params: { savedViewId: view!.id } },
      {
        onSuccess: () => {
          setOpen(false)
          toast({ title: 'View deleted', description: `${view!.name} is no longer in the menu of views.` })
        },
        onError: (error) => toast({ title: 'View not deleted', description: messageOf(error), variant: 'destructive' }),
      },
    )

  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={`${id}-form`}
      title={view ? 'Edit View' : 'Save View'}
      description="A view stores the search, filters, order and columns of the list."
      action="Save View"
      dirty={form.isDirty}
      pending={form.pending}
      error={form.failure && form.problems.length === 0 ? { message: form.failure } : undefined}
      returnTo={returnTo}
      extra={
        view && (
          <Button variant="line" className="sm:mr-auto" pending={remove.isPending} onClick={onDelete}>
            Delete View
          </Button>
        )
      }
    >
      <form id={`${id}-form`} onSubmit={submit} noValidate className="grid gap-4">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field label="Name" {...form.field('name')}>
          <Input {...form.register('name')} autoComplete="off" maxLength={60} />
        </Field>
        <Checkbox label="Share with all administrators" {...form.register('shared')} />
        {view && (
          <Checkbox
            label="Use the current search, filters, order and columns"
            checked={replaces}
            onChange={({ target }) => setReplaces(target.checked)}
          />
        )}
      </form>
    </FormDialog>
  )
}
