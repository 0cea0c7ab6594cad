import { useId, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import {
  createGuideSource,
  deleteGuideSource,
  type GuideSource,
  listChannelMatches,
  listGuideSources,
  sourceForm,
  updateGuideSource,
} from '../../admin-contract.ts'

const fields = ['name', 'address', 'zone', 'shownAs', 'enabled'] as const

/** Adds a source, or changes or deletes one. Its address is not shown again. */
export function SourceDialog({ source, returnTo }: { source: GuideSource | null; returnTo: () => HTMLElement | null }) {
  const id = useId()
  const [open, setOpen] = useState(true)
  const [isConfirmingDelete, setConfirmingDelete] = useState(false)
  const create = useSend(createGuideSource, [listGuideSources])
  const update = useSend(updateGuideSource, [listGuideSources])
  const remove = useSend(deleteGuideSource, [listGuideSources, listChannelMatches])
  const form = useSchemaForm({
    schema: sourceForm,
    id,
    fields,
    defaultValues: {
      name: source?.name ?? '',
      address: '',
      zone: source?.zone ?? 'UTC',
      shownAs: source?.shownAs ?? '',
      enabled: source?.enabled ?? true,
    },
  })
  const submit = form.onSubmit(async (values) => {
    const { name } = source
      ? await update.mutateAsync({ params: { sourceId: source.id }, body: { ...values, version: source.version } })
      : await create.mutateAsync({ body: values })
    setOpen(false)
    toast({ title: source ? 'Source saved' : 'Source added', description: name })
  })
  const onDelete = () =>
    source &&
    remove.mutate(
      { params: { sourceId: source.id }, query: { version: source.version } },
      {
        onSuccess: () => {
          setOpen(false)
          toast({ title: 'Source deleted', description: source.name })
        },
        onError: (error) => toast({ title: 'Not deleted', description: messageOf(error), variant: 'destructive' }),
        onSettled: () => setConfirmingDelete(false),
      },
    )

  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={`${id}-form`}
      title={source ? source.name : 'Add Source'}
      description="An XMLTV file, which may be compressed with gzip. It is read every 12 hours."
      action={source ? 'Save' : 'Add Source'}
      dirty={form.isDirty}
      pending={form.pending}
      unsavedChanges="The source has not been saved yet."
      error={form.failure && form.problems.length === 0 ? { message: form.failure } : undefined}
      returnTo={returnTo}
      extra={
        source && (
          <Button variant="line" className="sm:mr-auto" onClick={() => setConfirmingDelete(true)}>
            Delete Source
          </Button>
        )
      }
    >
      <form id={`${id}-form`} onSubmit={submit} noValidate className="grid gap-4">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field label="Name" {...form.field('name')}>
          <Input {...form.register('name')} autoComplete="off" maxLength={60} />
        </Field>
        <Field
          label="Address"
          hint={
            source?.host
              ? `Leave empty to keep the address on ${source.host}. It is stored encrypted and not shown.`
              : 'Leave empty to upload files instead. It is stored encrypted and not shown again.'
          }
          {...form.field('address')}
        >
          <Input {...form.register('address')} autoComplete="off" inputMode="url" spellCheck={false} />
        </Field>
        <Field label="Time zone" hint="For times without an offset, such as America/New_York." {...form.field('zone')}>
          <Input {...form.register('zone')} autoComplete="off" maxLength={60} spellCheck={false} />
        </Field>
        <Field
          label="Shown to viewers as"
          optional
          hint="Shown in the guide as the source of its listings. Leave empty if the source need not be named."
          {...form.field('shownAs')}
        >
          <Input {...form.register('shownAs')} autoComplete="off" maxLength={60} />
        </Field>
        <Checkbox label="Read automatically" {...form.register('enabled')} />
      </form>
      {source && (
        <ConfirmDialog
          open={isConfirmingDelete}
          onOpenChange={setConfirmingDelete}
          title={`Delete ${source.name}?`}
          description="Its listings and matches are deleted too. Customers will no longer see these programs."
          action="Delete Source"
          pending={remove.isPending}
          onConfirm={onDelete}
        />
      )}
    </FormDialog>
  )
}
