import { useReloadRow, useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { useRowForm } from '#web/ui/form/use-row-form.ts'
import { useOpenedItem } from '#web/ui/opened-item.ts'
import type { RowDialogProps } from '#web/ui/table/row-dialogs.tsx'
import { type AdminReport, listAllReports, reportDecision, updateReport } from '../admin-contract.ts'
import { type ReportStatus, reportStatus } from '../contract.ts'
import { showsNotes, statusNames } from '../rules.ts'
import { AdminReportDetails } from './admin-report-details.tsx'
import { AdminReportEvidence } from './admin-report-evidence.tsx'

/** The Update Report Status dialog. Specification 2, Admin Panel. */
export function AdminReportDialog({ opened, current, returnTo }: RowDialogProps<AdminReport>) {
  const send = useSend(updateReport, [listAllReports])
  const reloadRow = useReloadRow(listAllReports)
  const {
    row: report,
    form,
    submit,
    dialog,
  } = useRowForm({
    opened,
    current,
    schema: () => reportDecision,
    fields: ['status', 'adminNotes'],
    valuesOf: ({ status, adminNotes }) => ({ status, adminNotes: adminNotes ?? '' }),
    save: ({ id, version }, values) => send.mutateAsync({ params: { reportId: id }, body: { ...values, version } }),
    savedToast: ({ id, username, status }) => ({
      title: 'Report updated',
      description: `Report ${id} of ${username} is now ${statusNames[status]}.`,
    }),
    staleMessage: ({ version }, now) =>
      now.version > version && `Someone else changed this report: it is now ${statusNames[now.status]}.`,
    reloadRow: ({ id }) => reloadRow(`#${id}`, id),
  })
  useOpenedItem(dialog.open ? `report:${opened.id}` : null)

  return (
    <FormDialog
      {...dialog}
      title="Update Report Status"
      description={`${report.contentName}, reported by ${report.username}`}
      action="Update Status"
      unsavedChanges={`Your changes to ${report.username}'s report have not been saved.`}
      returnTo={returnTo}
    >
      <form id={dialog.formId} onSubmit={submit} noValidate className="grid gap-4">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field label="Status" {...form.field('status')}>
          <NativeSelect {...form.register('status')}>
            {reportStatus.options.map((status) => (
              <option key={status} value={status}>
                {statusNames[status]}
                {status === report.status && ' (now)'}
              </option>
            ))}
          </NativeSelect>
        </Field>
        <Field
          label="Admin Notes"
          optional
          hint={
            showsNotes(form.watch('status') as ReportStatus)
              ? `Not private with this status: ${report.username} sees these notes as “From our team”.`
              : `Not visible to users while the report is pending. With any other status ${report.username} sees these notes.`
          }
          {...form.field('adminNotes')}
        >
          <Textarea className="min-h-[100px]!" rows={3} {...form.register('adminNotes')} />
        </Field>
      </form>
      <AdminReportDetails report={report} />
      <AdminReportEvidence reportId={report.id} />
    </FormDialog>
  )
}
