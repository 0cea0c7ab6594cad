import { Button } from '#web/ui/button.tsx'
import { columnsFor } from '#web/ui/data-table-features.ts'
import { DateText } from '#web/ui/date-text.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { UserLink } from '#web/ui/user-link.tsx'
import type { AdminReport } from '../admin-contract.ts'
import { contentTypeNames, issueNames } from '../rules.ts'

const column = columnsFor<AdminReport>()

/** `onOpen` also receives the button, so that the focus can return to it. */
export const reportColumns = (onOpen: (report: AdminReport, button: HTMLElement) => void) =>
  column.columns([
    column.accessor('id', { header: 'ID', meta: { look: 'muted' }, cell: ({ row }) => <span className="num">{row.original.id}</span> }),
    column.accessor('username', {
      header: 'User',
      cell: ({ row: { original: report } }) => <UserLink id={report.userId} username={report.username || `User #${report.userId}`} email={report.email} />,
    }),
    column.accessor('contentType', { header: 'Content Type', cell: ({ row }) => contentTypeNames[row.original.contentType] }),
    column.accessor('contentName', {
      header: 'Content Name',
      enableHiding: false,
      meta: { block: 'title' },
      cell: ({ row }) => (
        <span className="cell-clip cell-clip-wide" title={row.original.contentName}>
          {row.original.contentName}
        </span>
      ),
    }),
    column.accessor('issue', { header: 'Issue', cell: ({ row }) => issueNames[row.original.issue] }),
    column.accessor('status', { header: 'Status', enableSorting: true, cell: ({ row }) => <StatusBadge status={row.original.status} /> }),
    column.accessor('createdAt', { header: 'Submitted', enableSorting: true, cell: ({ row }) => <DateText value={row.original.createdAt} /> }),
    column.accessor('resolvedAt', { header: 'Resolved', cell: ({ row }) => <DateText value={row.original.resolvedAt} /> }),
    column.display({
      id: 'actions',
      header: 'Actions',
      enableHiding: false,
      meta: { block: 'actions' },
      cell: ({ row: { original: report } }) => (
        <Button variant="soft" size="sm" onClick={({ currentTarget }) => onOpen(report, currentTarget)}>
          Update Status
          <span className="sr-only"> of report {report.id}</span>
        </Button>
      ),
    }),
  ])
