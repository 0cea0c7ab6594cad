import { Badge } from '#web/ui/badge.tsx'
import { Clipped } from '#web/ui/clipped.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { columnsFor } from '#web/ui/table/data-table-features.ts'
import { DateText } from '#web/ui/time/date-text.tsx'
import { UserLink } from '#web/ui/user-link.tsx'
import type { UserRow } from '../admin-contract.ts'
import { RoleBadge } from './role-badge.tsx'

const column = columnsFor<UserRow>()

export const userColumns = column.columns([
  column.accessor('id', {
    header: 'ID',
    meta: { look: 'muted' },
    cell: ({ row }) => <span className="num">{row.original.id}</span>,
  }),
  column.accessor('username', {
    header: 'Username',
    enableSorting: true,
    enableHiding: false,
    meta: { block: 'title' },
    cell: ({ row }) => <UserLink id={row.original.id} username={row.original.username} mark />,
  }),
  column.accessor('email', {
    header: 'Email',
    enableSorting: true,
    meta: { look: 'muted' },
    cell: ({ row }) => <Clipped wide text={row.original.email} />,
  }),
  column.accessor('fullName', { header: 'Full Name', cell: ({ row }) => <Clipped text={row.original.fullName} /> }),
  column.accessor('iptvUsername', {
    header: 'IPTV Account',
    cell: ({ row }) =>
      row.original.iptvUsername ? (
        <Badge variant="secondary">{row.original.iptvUsername}</Badge>
      ) : (
        <StatusBadge status="not_linked" />
      ),
  }),
  column.accessor('role', {
    header: 'Role',
    enableSorting: true,
    cell: ({ row }) => <RoleBadge role={row.original.role} />,
  }),
  column.accessor('createdAt', {
    header: 'Created At',
    enableSorting: true,
    cell: ({ row }) => <DateText value={row.original.createdAt} />,
  }),
])
