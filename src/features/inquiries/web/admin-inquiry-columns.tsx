import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { columnsFor } from '#web/ui/data-table-features.ts'
import { DateText } from '#web/ui/date-text.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { AdminInquiry } from '../admin-contract.ts'

const column = columnsFor<AdminInquiry>()
const firstLine = (message: string) => message.split('\n', 1)[0]?.slice(0, 200) ?? ''

/** `onOpen` also receives the button, so that the focus can return to it. */
export const inquiryColumns = (onOpen: (inquiry: AdminInquiry, button: HTMLElement) => void) =>
  column.columns([
    column.accessor('name', {
      header: 'From',
      enableHiding: false,
      meta: { block: 'title' },
      cell: ({ row: { original: inquiry } }) => (
        <span className="cell-stack">
          <span className="cell-clip cell-clip-wide font-semibold" title={inquiry.name}>
            {inquiry.name}
          </span>
          <span className="cell-clip cell-clip-wide font-normal text-fg-2" title={inquiry.email}>
            {inquiry.email}
          </span>
        </span>
      ),
    }),
    column.accessor('message', {
      header: 'Message',
      cell: ({ row }) => <span className="cell-clip cell-clip-wide">{firstLine(row.original.message)}</span>,
    }),
    column.accessor('planName', {
      header: 'Plan',
      cell: ({ row }) => (
        <span className="cell-clip" title={row.original.planName ?? undefined}>
          {row.original.planName ?? '-'}
        </span>
      ),
    }),
    column.accessor('newsletterOpt', { header: 'Newsletter', cell: ({ row }) => (row.original.newsletterOpt ? <Badge variant="secondary">Yes</Badge> : 'No') }),
    column.accessor('status', { header: 'Status', enableSorting: true, cell: ({ row }) => <StatusBadge status={row.original.status} /> }),
    column.accessor('createdAt', { header: 'Received', enableSorting: true, cell: ({ row }) => <DateText value={row.original.createdAt} /> }),
    column.display({
      id: 'actions',
      header: 'Actions',
      enableHiding: false,
      meta: { block: 'actions' },
      cell: ({ row: { original: inquiry } }) => (
        <Button variant={inquiry.status === 'open' ? 'ink' : 'soft'} size="sm" onClick={({ currentTarget }) => onOpen(inquiry, currentTarget)}>
          Open
          <span className="sr-only">
            {' '}
            inquiry {inquiry.id} of {inquiry.name}
          </span>
        </Button>
      ),
    }),
  ])
