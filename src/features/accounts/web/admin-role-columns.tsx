import { lazy } from 'react'
import { Clipped } from '#web/ui/clipped.tsx'
import { actionsColumn, columnsFor } from '#web/ui/table/data-table-features.ts'
import { RowButton } from '#web/ui/table/row-button.tsx'
import { UserLink } from '#web/ui/user-link.tsx'
import type { UserRow } from '../admin-contract.ts'
import { RoleBadge } from './role-badge.tsx'

const AdminRoleDialog = lazy(() =>
  import('./admin-role-dialog.tsx').then((module) => ({ default: module.AdminRoleDialog })),
)
const AdminPasswordDialog = lazy(() =>
  import('./admin-password-dialog.tsx').then((module) => ({ default: module.AdminPasswordDialog })),
)
const column = columnsFor<UserRow>()

export const roleColumns = column.columns([
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
  column.accessor('role', {
    header: 'Current Role',
    enableSorting: true,
    cell: ({ row }) => <RoleBadge {...row.original} />,
  }),
  column.display({
    ...actionsColumn,
    cell: ({ row: { original: user } }) => (
      <span className="cell-actions">
        <RowButton needs="staff.manage" row={user} dialog={AdminRoleDialog} describes={`of ${user.username}`}>
          Change Role
        </RowButton>
        <RowButton
          needs={user.role === 'admin' ? 'staff.manage' : 'customers.access'}
          row={user}
          dialog={AdminPasswordDialog}
          describes={`of ${user.username}`}
        >
          Reset Password
        </RowButton>
      </span>
    ),
  }),
])
