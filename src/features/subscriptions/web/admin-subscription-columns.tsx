import { lazy } from 'react'
import type { UserRow } from '#features/accounts/admin-contract.ts'
import { connectionsText } from '#features/iptv/rules.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Clipped } from '#web/ui/clipped.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { actionsColumn, columnsFor } from '#web/ui/table/data-table-features.ts'
import { RowButton } from '#web/ui/table/row-button.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { UserLink } from '#web/ui/user-link.tsx'
import { planLabel } from '../rules.ts'

const AdminSubscriptionDialog = lazy(() =>
  import('./admin-subscription-dialog.tsx').then((module) => ({ default: module.AdminSubscriptionDialog })),
)
const column = columnsFor<UserRow>()

export const subscriptionColumns = column.columns([
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
  column.accessor('iptvUsername', { header: 'IPTV Account', cell: ({ row }) => <IptvAccount {...row.original} /> }),
  column.accessor('planName', { header: 'Plan', cell: ({ row }) => planLabel(row.original) }),
  column.accessor('subscriptionStatus', {
    header: 'Status',
    cell: ({ row }) => <StatusBadge status={row.original.subscriptionStatus} />,
  }),
  column.accessor('subscriptionStartDate', {
    header: 'Start Date',
    cell: ({ row }) => <DateText value={row.original.subscriptionStartDate} />,
  }),
  column.accessor('subscriptionEndDate', {
    header: 'End Date',
    enableSorting: true,
    cell: ({ row }) => <DateText value={row.original.subscriptionEndDate} />,
  }),
  column.display({
    ...actionsColumn,
    cell: ({ row: { original: user } }) => (
      <RowButton needs="subscriptions.edit" row={user} dialog={AdminSubscriptionDialog} describes={user.username}>
        Manage
      </RowButton>
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
