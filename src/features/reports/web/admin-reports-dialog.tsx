import { useId, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { useOpenedItem } from '#web/ui/opened-item.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { type AdminReport, listAllReports, type ReportsChange, updateReports } from '../admin-contract.ts'
import { type ReportStatus, reportStatus } from '../contract.ts'
import { showsNotes, statusNames } from '../rules.ts'
import { AdminReportsPreview } from './admin-reports-preview.tsx'

interface Props {
  /** The reports as they were when the dialog was opened. */
  reports: readonly AdminReport[]
  /** Called after the update, to clear the selection. */
  onDone: () => void
  returnTo: () => HTMLElement | null
}

const countReports = (count: number) => `${count} ${count === 1 ? 'report' : 'reports'}`

/** A dialog that sets one status on several reports. It previews the changes, and then shows the result for each report. */
export function AdminReportsDialog({ reports, onDone, returnTo }: Props) {
  const id = useId()
  const [open, setOpen] = useState(true)
  useOpenedItem(open && reports[0] ? `report:${reports[0].id}` : null)
  const [status, setStatus] = useState<ReportStatus>('reviewing')
  const [change, setChange] = useState<ReportsChange>()
  const { mutate, isPending, error } = useSend(updateReports, [listAllReports])
  const changing = reports.filter((report) => report.status !== status)
  const publishes = showsNotes(status)
    ? changing.filter((report) => !showsNotes(report.status) && report.adminNotes)
    : []

  const send = () =>
    mutate(
      { body: { status, reports: reports.map(({ id, version }) => ({ id, version })) } },
      {
        onSuccess: (result) => {
          onDone()
          if (result.unchanged.length === 0) setOpen(false)
          else setChange(result)
          toast(
            result.changed.length > 0
              ? {
                  title: 'Reports updated',
                  description: `${countReports(result.changed.length)} set to ${statusNames[status]}, ${result.unchanged.length} unchanged.`,
                }
              : { title: 'Nothing was changed', description: 'The dialog shows the reasons.', variant: 'destructive' },
          )
        },
        onError: (failure) =>
          toast({ title: 'Update Failed', description: messageOf(failure), variant: 'destructive' }),
      },
    )

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && !isPending && setOpen(false)}
      title={
        change
          ? `${change.changed.length} of ${countReports(reports.length)} changed`
          : `Update ${countReports(reports.length)}`
      }
      description={
        change
          ? 'The other reports were not changed.'
          : 'Notes are not changed. Authors are notified by email when a report is resolved or dismissed.'
      }
      size="form"
      returnTo={returnTo}
      footer={
        change ? (
          <Button onClick={() => setOpen(false)}>Done</Button>
        ) : (
          <>
            {error && <FormError message={messageOf(error)} />}
            <Button variant="line" onClick={() => setOpen(false)}>
              Cancel
            </Button>
            <Button
              pending={isPending}
              aria-disabled={changing.length === 0 || undefined}
              onClick={changing.length === 0 ? undefined : send}
            >
              {changing.length === 0 ? 'Nothing to change' : `Update ${countReports(changing.length)}`}
            </Button>
          </>
        )
      }
    >
      {!change && (
        <Field
          id={`${id}-status`}
          label="Status"
          hint={
            publishes.length > 0 &&
            `${countReports(publishes.length)} with notes that the authors will then see: ${publishes.map((each) => `#${each.id}`).join(', ')}.`
          }
        >
          <NativeSelect value={status} onChange={({ target }) => setStatus(target.value as ReportStatus)}>
            {reportStatus.options.map((option) => (
              <option key={option} value={option}>
                {statusNames[option]}
              </option>
            ))}
          </NativeSelect>
        </Field>
      )}
      <AdminReportsPreview reports={reports} status={status} change={change} />
    </Dialog>
  )
}
