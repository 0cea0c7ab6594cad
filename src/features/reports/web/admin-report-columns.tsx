import { lazy } from 'react'
import { Clipped } from '#web/ui/clipped.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { actionsColumn, columnsFor } from '#web/ui/table/data-table-features.ts'
import { RowButton } from '#web/ui/table/row-button.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { UserLink } from '#web/ui/user-link.tsx'
import type { AdminReport } from '../admin-contract.ts'
import { reportHeadings } from '../report-headings.ts'
import { contentTypeNames, issueNames } from '../rules.ts'

const AdminReportDialog = lazy(() =>
  import('./admin-report-dialog.tsx').then((module) => ({ default: module.AdminReportDialog })),
)
const column = columnsFor<AdminReport>()

export const reportColumns = column.columns([
  column.accessor('id', {
    header: reportHeadings.id,
    meta: { look: 'muted' },
    cell: ({ row }) => <span className="num">{row.original.id}</span>,
  }),
  column.accessor('username', {
    header: reportHeadings.username,
    cell: ({ row: { original: report } }) => (
      <UserLink id={report.userId} username={report.username || `User #${report.userId}`} email={report.email} />
    ),
  }),
  column.accessor('contentType', {
    header: reportHeadings.contentType,
    cell: ({ row }) => contentTypeNames[row.original.contentType],
  }),
  column.accessor('contentName', {
    header: reportHeadings.contentName,
    enableHiding: false,
    meta: { block: 'title' },
    cell: ({ row }) => <Clipped wide text={row.original.contentName} />,
  }),
  column.accessor('issue', { header: reportHeadings.issue, cell: ({ row }) => issueNames[row.original.issue] }),
  column.accessor('status', {
    header: reportHeadings.status,
    enableSorting: true,
    cell: ({ row }) => <StatusBadge status={row.original.status} />,
  }),
  column.accessor('createdAt', {
    header: reportHeadings.createdAt,
    enableSorting: true,
    cell: ({ row }) => <DateText value={row.original.createdAt} />,
  }),
  column.accessor('resolvedAt', {
    header: reportHeadings.resolvedAt,
    cell: ({ row }) => <DateText value={row.original.resolvedAt} />,
  }),
  column.display({
    ...actionsColumn,
    cell: ({ row: { original: report } }) => (
      <RowButton needs="reports.edit" row={report} dialog={AdminReportDialog} describes={`of report ${report.id}`}>
        Update Status
      </RowButton>
    ),
  }),
])
