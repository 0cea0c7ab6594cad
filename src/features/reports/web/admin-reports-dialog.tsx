import { useId, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { DialogError } from '#web/ui/form/dialog-error.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { toast } from '#web/ui/toast.ts'
import { type AdminReport, listAllReports, type ReportsChange, updateReports } from '../admin-contract.ts'
import { type ReportStatus, reportStatus } from '../contract.ts'
import { showsNotes, statusNames } from '../rules.ts'
import { AdminReportsPreview } from './admin-reports-preview.tsx'

interface Props {
  /** The reports as they were when the dialog was opened. */
  reports: readonly AdminReport[]
  /** Some were changed: what was chosen is done with. */
  onDone: () => void
  returnTo: () => HTMLElement | null
}

const counted = (count: number) => `${count} ${count === 1 ? 'report' : 'reports'}`

/** Sets one status on several reports: shows before what will happen to each, and afterwards what did. */
export function AdminReportsDialog({ reports, onDone, returnTo }: Props) {
  const id = useId()
  const [open, setOpen] = useState(true)
  const [status, setStatus] = useState<ReportStatus>('reviewing')
  const [change, setChange] = useState<ReportsChange>()
  const { mutate, isPending, error } = useSend(updateReports, [listAllReports])
  const moved = reports.filter((report) => report.status !== status)
  const publishes = showsNotes(status) ? moved.filter((report) => !showsNotes(report.status) && report.adminNotes) : []

  const send = () =>
    mutate(
      { body: { status, reports: reports.map(({ id, version }) => ({ id, version })) } },
      {
        onSuccess: (now) => {
          onDone()
          if (now.unchanged.length === 0) setOpen(false)
          else setChange(now)
          toast(
            now.changed.length > 0
              ? {
                  title: 'Reports updated',
                  description: `${counted(now.changed.length)} now ${statusNames[status]}, ${now.unchanged.length} left as they were.`,
                }
              : { title: 'Nothing was changed', description: 'The dialog says why.', variant: 'destructive' },
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
        change ? `${counted(change.changed.length)} of ${reports.length} changed` : `Update ${counted(reports.length)}`
      }
      description={
        change
          ? 'The others were left as they are.'
          : 'Notes stay as they are. Authors are told by mail when a report is resolved or dismissed.'
      }
      size="form"
      returnTo={returnTo}
      footer={
        change ? (
          <Button onClick={() => setOpen(false)}>Done</Button>
        ) : (
          <>
            {error && <DialogError message={messageOf(error)} />}
            <Button variant="line" onClick={() => setOpen(false)}>
              Cancel
            </Button>
            <Button
              pending={isPending}
              aria-disabled={moved.length === 0 || undefined}
              onClick={moved.length === 0 ? undefined : send}
            >
              {moved.length === 0 ? 'Nothing to change' : `Update ${counted(moved.length)}`}
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
            `${counted(publishes.length)} carry notes that their authors will then read: ${publishes.map((each) => `#${each.id}`).join(', ')}.`
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
