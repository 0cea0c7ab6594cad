import { useReloadRow, useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { useRowForm } from '#web/ui/form/use-row-form.ts'
import { useOpenedItem } from '#web/ui/opened-item.ts'
import type { RowDialogProps } from '#web/ui/table/row-dialogs.tsx'
import { type AdminTrialRequest, listAllTrialRequests, updateTrialRequest } from '../admin-contract.ts'
import { statusNames } from '../rules.ts'
import { decisionForm, initialValues } from './admin-trial-decision.ts'
import { AdminTrialDetails } from './admin-trial-details.tsx'
import { AdminTrialFields } from './admin-trial-fields.tsx'

interface Props extends RowDialogProps<AdminTrialRequest> {
  /** The status that is initially selected if the request is pending. */
  decision?: 'approved' | 'denied' | undefined
}

/** Approves, denies or reopens a trial request. */
export function AdminTrialDialog({ opened, current, returnTo, decision }: Props) {
  const send = useSend(updateTrialRequest, [listAllTrialRequests])
  const reload = useReloadRow(listAllTrialRequests)
  const {
    row: request,
    form,
    submit,
    dialog,
  } = useRowForm({
    opened,
    current,
    schema: decisionForm,
    fields: ['status', 'trialUsername', 'trialPassword', 'trialServer', 'expiryDate', 'adminNotes'],
    valuesOf: (request) => ({
      ...initialValues(request),
      ...(decision && request.status === 'pending' && { status: decision }),
    }),
    save: ({ id, version }, values) =>
      send.mutateAsync({ params: { trialRequestId: id }, body: { ...values, version } }),
    savedToast: ({ user, status }) => ({
      title: 'Request Updated',
      description: `The request of ${user.username} is now ${statusNames[status]}.`,
    }),
    failureText: 'Failed to update trial request',
    staleMessage: ({ version }, now) =>
      now.version > version && `This request has changed since you opened it: it is now ${statusNames[now.status]}.`,
    reloadRow: ({ id }) => reload(`#${id}`, id),
  })
  useOpenedItem(dialog.open ? `trial:${opened.id}` : null)

  return (
    <FormDialog
      {...dialog}
      title="Manage Trial Request"
      description={`Request ${request.id} of ${request.user.username}`}
      action="Update Request"
      unsavedChanges={`Nothing has been saved for ${request.user.username}'s request yet.`}
      size="wide"
      returnTo={returnTo}
    >
      <AdminTrialDetails request={request} />
      <form id={dialog.formId} onSubmit={submit} noValidate className="mt-5 grid gap-4">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <AdminTrialFields request={request} form={form} />
      </form>
    </FormDialog>
  )
}
