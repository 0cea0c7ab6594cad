import { Link } from '@tanstack/react-router'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Clipped } from '#web/ui/clipped.tsx'
import { actionsColumn, columnsFor } from '#web/ui/table/data-table-features.ts'
import { DateText } from '#web/ui/time/date-text.tsx'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'
import { UserLink } from '#web/ui/user-link.tsx'
import type { AdminTicket } from '../admin-contract.ts'
import { kindNames } from '../rules.ts'
import { ticketHeadings } from '../ticket-headings.ts'
import { TicketStatusBadge } from './ticket-status-badge.tsx'

const column = columnsFor<AdminTicket>()

export const ticketColumns = column.columns([
  column.accessor('subject', {
    header: ticketHeadings.subject,
    enableHiding: false,
    meta: { block: 'title' },
    cell: ({ row: { original: ticket } }) => (
      <Link to="/admin/tickets/{-$ticketId}" params={{ ticketId: String(ticket.id) }} preload={false} className="link">
        <Clipped wide text={ticket.subject} />
      </Link>
    ),
  }),
  column.accessor('from', {
    header: ticketHeadings.from,
    cell: ({ row: { original: ticket } }) =>
      ticket.userId === null ? (
        <Clipped text={`${ticket.from}, ${ticket.email}`} />
      ) : (
        <UserLink id={ticket.userId} username={ticket.from} email={ticket.email} />
      ),
  }),
  column.accessor('kind', { header: ticketHeadings.kind, cell: ({ row }) => kindNames[row.original.kind] }),
  column.accessor('status', {
    header: ticketHeadings.status,
    enableSorting: true,
    cell: ({ row }) => <TicketStatusBadge status={row.original.status} />,
  }),
  column.accessor('assignee', {
    header: ticketHeadings.assignee,
    cell: ({ row }) => row.original.assignee ?? '-',
  }),
  column.accessor('waitingSince', {
    header: ticketHeadings.waitingSince,
    cell: ({ row: { original: ticket } }) => (ticket.waitingSince ? <RelativeTime value={ticket.waitingSince} /> : '-'),
  }),
  column.accessor('lastMessageAt', {
    header: ticketHeadings.lastMessageAt,
    enableSorting: true,
    cell: ({ row }) => <DateText value={row.original.lastMessageAt} />,
  }),
  column.display({
    ...actionsColumn,
    cell: ({ row: { original: ticket } }) => (
      <ButtonLink
        to="/admin/tickets/{-$ticketId}"
        params={{ ticketId: String(ticket.id) }}
        preload={false}
        variant={ticket.status === 'open' ? 'ink' : 'soft'}
        size="sm"
      >
        {ticket.status === 'open' ? 'Answer' : 'View'}
        <span className="sr-only"> ticket {ticket.id}</span>
      </ButtonLink>
    ),
  }),
])
