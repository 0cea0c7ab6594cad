import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { AdminReport, ReportsChange } from '../admin-contract.ts'
import type { ReportStatus } from '../contract.ts'
import { statusNames } from '../rules.ts'

interface Props {
  reports: readonly AdminReport[]
  status: ReportStatus
  /** Once it has happened. */
  change: ReportsChange | undefined
}

/** What will become of each report, or what has. */
export function AdminReportsPreview({ reports, status, change }: Props) {
  const reasons = new Map(change?.unchanged.map(({ id, reason }) => [id, reason]))
  return (
    <ul
      aria-label={change ? 'What was changed' : 'What will be changed'}
      className="mt-4 divide-y divide-line rounded-md border"
    >
      {reports.map((report) => {
        const stays = change
          ? reasons.get(report.id)
          : report.status === status
            ? `It already is ${statusNames[status]}`
            : undefined
        return (
          <li key={report.id} className="grid gap-1.5 px-4 py-2.5">
            <span className="wrap-anywhere">
              <span className="num text-fg-2">#{report.id}</span> {report.contentName}{' '}
              <span className="text-fg-2">of {report.username}</span>
            </span>
            <span className="flex flex-wrap items-center gap-2">
              {!stays && (
                <>
                  <StatusBadge status={report.status} />
                  <span aria-hidden="true">→</span>
                  <span className="sr-only">becomes</span>
                  <StatusBadge status={status} />
                </>
              )}
              {stays && <span className="text-fg-2">Not changed. {stays}.</span>}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
