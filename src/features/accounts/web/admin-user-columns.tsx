import { Badge } from '#web/ui/badge.tsx'
import { Clipped } from '#web/ui/clipped.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { columnsFor } from '#web/ui/table/data-table-features.ts'
import { DateText } from '#web/ui/time/date-text.tsx'
import { UserLink } from '#web/ui/user-link.tsx'
import type { UserRow } from '../admin-contract.ts'
import { userHeadings } from '../user-headings.ts'
import { RoleBadge } from './role-badge.tsx'

const column = columnsFor<UserRow>()

export const userColumns = column.columns([
  column.accessor('id', {
    header: userHeadings.id,
    meta: { look: 'muted' },
    cell: ({ row }) => <span className="num">{row.original.id}</span>,
  }),
  column.accessor('username', {
    header: userHeadings.username,
    enableSorting: true,
    enableHiding: false,
    meta: { block: 'title' },
    cell: ({ row }) => <UserLink id={row.original.id} username={row.original.username} mark />,
  }),
  column.accessor('email', {
    header: userHeadings.email,
    enableSorting: true,
    meta: { look: 'muted' },
    cell: ({ row }) => <Clipped wide text={row.original.email} />,
  }),
  column.accessor('fullName', {
    header: userHeadings.fullName,
    cell: ({ row }) => <Clipped text={row.original.fullName} />,
  }),
  column.accessor('iptvUsername', {
    header: userHeadings.iptvUsername,
    cell: ({ row }) =>
      row.original.iptvUsername ? (
        <Badge variant="secondary">{row.original.iptvUsername}</Badge>
      ) : (
        <StatusBadge status="not_linked" />
      ),
  }),
  column.accessor('role', {
    header: userHeadings.role,
    enableSorting: true,
    cell: ({ row }) => <RoleBadge {...row.original} />,
  }),
  column.accessor('createdAt', {
    header: userHeadings.createdAt,
    enableSorting: true,
    cell: ({ row }) => <DateText value={row.original.createdAt} />,
  }),
])
