import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { ApiError } from '#kit/caller.ts'
import { callOf, refresh, useSend } from '#web/data.ts'
import { DialogTrouble } from '#web/ui/dialog-trouble.tsx'
import { ErrorSummary } from '#web/ui/error-summary.tsx'
import { Field } from '#web/ui/field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { NativeSelect } from '#web/ui/native-select.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import { toast } from '#web/ui/toast.ts'
import { useSchemaForm } from '#web/ui/use-schema-form.ts'
import { type AdminReport, listAllReports, reportDecision, updateReport } from '../admin-contract.ts'
import { type ReportStatus, reportStatus } from '../contract.ts'
import { showsNotes, statusNames } from '../rules.ts'
import { AdminReportDetails } from './admin-report-details.tsx'

interface Props {
  /** The report as the row showed it. */
  opened: AdminReport
  /** The same report as the list shows it now, if it does: it changes under an open dialog when somebody else acts. */
  current: AdminReport | undefined
  returnTo: () => HTMLElement | null
}

const startFor = ({ status, adminNotes }: AdminReport) => ({ status, adminNotes: adminNotes ?? '' })

/** Update Report Status (specification 2, Admin Panel): open from its first rendering, rendered anew for every opening. */
export function AdminReportDialog({ opened, current, returnTo }: Props) {
  const client = useQueryClient()
  const formId = useId()
  const [report, setReport] = useState(opened)
  const [open, setOpen] = useState(true)
  const [isStale, setStale] = useState(false)
  const send = useSend(updateReport, [listAllReports])
  const form = useSchemaForm({
    schema: reportDecision,
    id: formId,
    fields: ['status', 'adminNotes'],
    defaultValues: startFor(opened),
    onFailure: (description, error) => {
      setStale(error instanceof ApiError && error.code === 'stale')
      toast({ title: 'Update Failed', description, variant: 'destructive' })
    },
  })
  const submit = form.onSubmit(async (body) => {
    const now = await send.mutateAsync({ params: { reportId: report.id }, body: { ...body, version: report.version } })
    setOpen(false)
    toast({ title: 'Report updated', description: `Report ${now.id} of ${now.username} is now ${statusNames[now.status]}.` })
  })
  const reload = async () => {
    const { rows } = await callOf(client)(listAllReports, { query: { search: `#${report.id}`, pageSize: 100 } })
    const now = rows.find(({ id }) => id === report.id)
    if (!now) return setOpen(false)
    setReport(now)
    setStale(false)
    form.reset(startFor(now))
    // The button that was pressed goes away with the message.
    document.getElementById(`${formId}-status`)?.focus()
    await refresh(client, [listAllReports.id])
  }
  const isOvertaken = open && !form.pending && !form.failure && current && current.version > report.version
  const trouble = form.failure ?? (isOvertaken ? `This report was changed meanwhile: it is now ${statusNames[current.status]}.` : undefined)

  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      title="Update Report Status"
      description={`${report.contentName}, reported by ${report.username}`}
      formId={formId}
      action="Update Status"
      dirty={form.isDirty}
      pending={form.pending}
      loss={`Nothing has been saved for ${report.username}'s report yet.`}
      trouble={trouble && <DialogTrouble message={trouble} onReload={isStale || isOvertaken ? reload : undefined} />}
      returnTo={returnTo}
    >
      <form id={formId} onSubmit={submit} noValidate className="grid gap-4">
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
              ? `Not private with this status: ${report.username} reads these notes beside the report.`
              : 'Private: not visible to users while the report is pending.'
          }
          {...form.field('adminNotes')}
        >
          <Textarea className="min-h-[100px]!" rows={3} {...form.register('adminNotes')} />
        </Field>
      </form>
      <AdminReportDetails report={report} />
    </FormDialog>
  )
}
