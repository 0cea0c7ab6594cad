import { Button } from '#web/ui/button.tsx'
import { columnsFor } from '#web/ui/data-table-features.ts'
import { UserLink } from '#web/ui/user-link.tsx'
import type { UserRow } from '../contract.ts'
import { RoleBadge } from './role-badge.tsx'

const column = columnsFor<UserRow>()
type Open = (user: UserRow, button: HTMLElement) => void

/** Both openers also receive the button, so that the focus can return to it. */
export const roleColumns = ({ onRole, onPassword }: { onRole: Open; onPassword: Open }) =>
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
    column.accessor('role', { header: 'Current Role', enableSorting: true, cell: ({ row }) => <RoleBadge role={row.original.role} /> }),
    column.display({
      id: 'actions',
      header: 'Actions',
      enableHiding: false,
      meta: { block: 'actions' },
      cell: ({ row: { original: user } }) => (
        <span className="cell-actions">
          <Button variant="soft" size="sm" onClick={({ currentTarget }) => onRole(user, currentTarget)}>
            Change Role
            <span className="sr-only"> of {user.username}</span>
          </Button>
          <Button variant="soft" size="sm" onClick={({ currentTarget }) => onPassword(user, currentTarget)}>
            Reset Password
            <span className="sr-only"> of {user.username}</span>
          </Button>
        </span>
      ),
    }),
  ])
