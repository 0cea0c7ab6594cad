import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { useOpenedItem } from '#web/ui/opened-item.ts'
import type { RowDialogProps } from '#web/ui/table/row-dialogs.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { getPanelStatus, type LineJob, listLineJobs, markLineJobDone, retryLineJob } from '../admin-contract.ts'
import { LineJobDetails } from './line-job-details.tsx'
import { taskNames } from './line-texts.ts'
import { ManualLineDialog } from './manual-line-dialog.tsx'

/** The dialog for a job, with the actions that an administrator can take. */
export function LineJobDialog(props: RowDialogProps<LineJob>) {
  const { data: panel } = useQuery(query(getPanelStatus))
  if (!panel) return null
  const isManual = panel.kind === 'manual'
  if (isManual && props.opened.task === 'manual') return <ManualLineDialog {...props} server={panel.server} />
  return <PanelJobDialog {...props} canRetry={!isManual} />
}

/** `canRetry`: whether a panel is configured. */
function PanelJobDialog({ opened, current, returnTo, canRetry }: RowDialogProps<LineJob> & { canRetry: boolean }) {
  const job = current ?? opened
  const [open, setOpen] = useState(true)
  useOpenedItem(open ? `line:${job.id}` : null)
  const retry = useSend(retryLineJob, [listLineJobs, getPanelStatus])
  const markDone = useSend(markLineJobDone, [listLineJobs, getPanelStatus])
  const submit = (send: typeof retry, title: string, description: string) =>
    send.mutate(
      { params: { jobId: job.id } },
      {
        onSuccess: () => {
          setOpen(false)
          toast({ title, description })
        },
        onError: (failure) =>
          toast({ title: 'Nothing was changed', description: messageOf(failure), variant: 'destructive' }),
      },
    )
  const canDecide = job.state !== 'done' && (job.task !== null || job.state === 'queued')
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={job.username ? `Line of ${job.username}` : `Line ${job.line}`}
      description={`Job ${job.id}`}
      size="wide"
      returnTo={returnTo}
      footer={
        <>
          <Button variant="line" onClick={() => setOpen(false)}>
            Close
          </Button>
          {canDecide && (
            <Button
              variant="soft"
              pending={markDone.isPending}
              onClick={() =>
                submit(markDone, 'Marked as done', 'The job is closed and the change is in the audit log.')
              }
            >
              Mark as done
            </Button>
          )}
          {canDecide && canRetry && (
            <Button
              pending={retry.isPending}
              onClick={() =>
                submit(retry, 'Queued again', 'The line will be checked in the panel, and missing changes applied.')
              }
            >
              Retry
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-5">
        {job.task !== null && <Note tone="warn">{taskNames[job.task]}</Note>}
        <LineJobDetails job={job} />
      </div>
    </Dialog>
  )
}
