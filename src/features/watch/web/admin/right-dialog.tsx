import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { useReloadRow, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { useRowForm } from '#web/ui/form/use-row-form.ts'
import type { RowDialogProps } from '#web/ui/table/row-dialogs.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import {
  type ChannelRight,
  deleteRight,
  getWatching,
  listRights,
  rightForm,
  updateRight,
} from '../../admin-contract.ts'
import { PublishButton } from './publish-button.tsx'
import { RightFields, rightFields } from './right-fields.tsx'

/** Changes or removes one right, and publishes its channel. */
export function RightDialog({ opened, current, returnTo }: RowDialogProps<ChannelRight>) {
  const [isRemoving, setRemoving] = useState(false)
  const send = useSend(updateRight, [listRights, getWatching])
  const remove = useSend(deleteRight, [listRights, getWatching])
  const reloadRow = useReloadRow(listRights)
  const {
    row: right,
    form,
    submit,
    dialog,
  } = useRowForm({
    opened,
    current,
    schema: () => rightForm,
    fields: rightFields,
    valuesOf: ({ licensor, source, territories, validFrom, validUntil, document, archiveHours }) => ({
      licensor,
      source,
      territories,
      validFrom,
      validUntil,
      document,
      archiveHours: String(archiveHours),
    }),
    save: ({ id, version }, values) => send.mutateAsync({ params: { rightId: id }, body: { ...values, version } }),
    savedToast: ({ channelName }) => ({
      title: 'Right saved',
      description: `The right to ${channelName} was changed.`,
    }),
    staleMessage: ({ version }, now) => now.version > version && 'Someone else changed this right.',
    reloadRow: ({ channelName, id }) => reloadRow(channelName, id),
  })
  const onRemove = () =>
    remove.mutate(
      { params: { rightId: right.id }, query: { version: right.version } },
      {
        onSuccess: () => {
          setRemoving(false)
          dialog.onClose()
          toast({ title: 'Right removed', description: `The right to ${right.channelName} was removed.` })
        },
        onError: (error) => {
          setRemoving(false)
          toast({ title: 'Right not removed', description: messageOf(error), variant: 'destructive' })
        },
      },
    )

  return (
    <FormDialog
      {...dialog}
      title={`Right to ${right.channelName}`}
      action="Save"
      unsavedChanges={`Your changes to the right to ${right.channelName} have not been saved.`}
      returnTo={returnTo}
      extra={
        <Button variant="line" className="sm:mr-auto" onClick={() => setRemoving(true)}>
          Remove Right
        </Button>
      }
    >
      <form id={dialog.formId} onSubmit={submit} noValidate className="grid gap-4">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <RightFields form={form} />
      </form>
      <PublishButton right={current ?? right} />
      <ConfirmDialog
        open={isRemoving}
        onOpenChange={setRemoving}
        title={`Remove the right to ${right.channelName}?`}
        description="Without a right in force, customers cannot watch the channel. Running streams stop within seconds."
        action="Remove Right"
        pending={remove.isPending}
        onConfirm={onRemove}
      />
    </FormDialog>
  )
}
