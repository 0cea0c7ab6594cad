import type { UserRow } from '#features/accounts/contract.ts'
import { connectionsText } from '#features/iptv/rules.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { columnsFor } from '#web/ui/data-table-features.ts'
import { DateText } from '#web/ui/date-text.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { UserLink } from '#web/ui/user-link.tsx'
import { planLabel } from '../rules.ts'

const column = columnsFor<UserRow>()

/** `onManage` also receives the button, so that the focus can return to it. */
export const subscriptionColumns = (onManage: (user: UserRow, button: HTMLElement) => void) =>
  column.columns([
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
      cell: ({ row }) => (
        <span className="cell-clip cell-clip-wide" title={row.original.email}>
          {row.original.email}
        </span>
      ),
    }),
    column.accessor('iptvUsername', { header: 'IPTV Account', cell: ({ row }) => <IptvAccount {...row.original} /> }),
    column.accessor('planName', { header: 'Plan', cell: ({ row }) => planLabel(row.original) }),
    column.accessor('subscriptionStatus', { header: 'Status', cell: ({ row }) => <StatusBadge status={row.original.subscriptionStatus} /> }),
    column.accessor('subscriptionStartDate', { header: 'Start Date', cell: ({ row }) => <DateText value={row.original.subscriptionStartDate} /> }),
    column.accessor('subscriptionEndDate', { header: 'End Date', cell: ({ row }) => <DateText value={row.original.subscriptionEndDate} /> }),
    column.display({
      id: 'actions',
      header: 'Actions',
      enableHiding: false,
      meta: { block: 'actions' },
      cell: ({ row: { original: user } }) => (
        <Button variant="soft" size="sm" onClick={({ currentTarget }) => onManage(user, currentTarget)}>
          Manage
          <span className="sr-only"> {user.username}</span>
        </Button>
      ),
    }),
  ])

function IptvAccount({ iptvUsername, iptvMaxConnections }: Pick<UserRow, 'iptvUsername' | 'iptvMaxConnections'>) {
  const connections = iptvMaxConnections === null ? undefined : `(${connectionsText(iptvMaxConnections)})`
  return (
    <span className="cell-who">
      {iptvUsername ? <Badge variant="secondary">{iptvUsername}</Badge> : <StatusBadge status="not_linked" />}
      {connections && <span className="num text-fg-2">{connections}</span>}
    </span>
  )
}
