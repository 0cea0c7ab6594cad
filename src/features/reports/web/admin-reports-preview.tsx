import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { AdminReport, ReportsChange } from '../admin-contract.ts'
import type { ReportStatus } from '../contract.ts'
import { statusNames } from '../rules.ts'

interface Props {
  reports: readonly AdminReport[]
  status: ReportStatus
  /** The result of the update; undefined before it. */
  change: ReportsChange | undefined
}

/** The list of planned or completed changes, one for each report. */
export function AdminReportsPreview({ reports, status, change }: Props) {
  const reasons = new Map(change?.unchanged.map(({ id, reason }) => [id, reason]))
  return (
    <ul aria-label={change ? 'Changes' : 'Planned changes'} className="mt-4 divide-y divide-line rounded-md border">
      {reports.map((report) => {
        const reason = change
          ? reasons.get(report.id)
          : report.status === status
            ? `It is already ${statusNames[status]}`
            : undefined
        return (
          <li key={report.id} className="grid gap-1.5 px-4 py-2.5">
            <span className="wrap-anywhere">
              <span className="num text-fg-2">#{report.id}</span> {report.contentName}{' '}
              <span className="text-fg-2">by {report.username}</span>
            </span>
            <span className="flex flex-wrap items-center gap-2">
              {!reason && (
                <>
                  <StatusBadge status={report.status} />
                  <span aria-hidden="true">→</span>
                  <span className="sr-only">becomes</span>
                  <StatusBadge status={status} />
                </>
              )}
              {reason && <span className="text-fg-2">Not changed. {reason}.</span>}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
