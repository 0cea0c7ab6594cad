import { Note } from '#web/ui/note.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { Report } from '../contract.ts'
import { contentTypeNames, issueNames, showsNotes } from '../rules.ts'

export function ReportItem({ report }: { report: Report }) {
  const { contentType, contentName, issue, description, status, createdAt, adminNotes } = report
  return (
    <li className="grid gap-2 px-4.5 py-4.5 sm:px-6">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5">
        <div className="min-w-0">
          <h3 className="text-base wrap-anywhere">{contentName}</h3>
          <p className="text-sm text-fg-2">
            {contentTypeNames[contentType]} · {issueNames[issue]} · <DateText value={createdAt} />
          </p>
        </div>
        <StatusBadge status={status} />
      </div>
      {description && <p className="whitespace-pre-line wrap-anywhere">{description}</p>}
      {showsNotes(status) && adminNotes && (
        <Note className="mt-1">
          <p className="font-semibold">From our team</p>
          <p className="whitespace-pre-line wrap-anywhere">{adminNotes}</p>
        </Note>
      )}
    </li>
  )
}
