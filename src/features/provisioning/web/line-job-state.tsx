import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { LineJob } from '../admin-contract.ts'

/** The state of a job, preceded by a badge when it waits for an administrator. */
export function LineJobState({ job: { state, task } }: { job: Pick<LineJob, 'state' | 'task'> }) {
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      {task !== null && <StatusBadge status="needs_you" />}
      {(task === null || state !== 'queued') && <StatusBadge status={state} />}
    </span>
  )
}
