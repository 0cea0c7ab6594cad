import { DetailLine } from '#web/ui/detail-line.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { AdminReport } from '../admin-contract.ts'
import { contentTypeNames, issueNames } from '../rules.ts'

/** The reported problem, read-only. */
export function AdminReportDetails({ report }: { report: AdminReport }) {
  return (
    <dl className="details">
      <DetailLine label="User">
        {report.username} <span className="block text-fg-2">{report.email}</span>
      </DetailLine>
      <DetailLine label="Content">
        {report.contentName} <span className="block text-fg-2">{contentTypeNames[report.contentType]}</span>
      </DetailLine>
      <DetailLine label="Issue">{issueNames[report.issue]}</DetailLine>
      <DetailLine label="Submitted">
        <DateText value={report.createdAt} look="minute" />
      </DetailLine>
      {report.resolvedAt && (
        <DetailLine label="Resolved">
          <DateText value={report.resolvedAt} look="minute" />
        </DetailLine>
      )}
      <DetailLine label="Description" wide>
        {report.description ?? 'No description'}
      </DetailLine>
    </dl>
  )
}
