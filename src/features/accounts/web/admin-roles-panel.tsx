import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo } from 'react'
import { query } from '#web/data.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { useListAddress } from '#web/ui/use-list-address.ts'
import { useRowDialog } from '#web/ui/use-row-dialog.ts'
import { exportUsers, listUsers, type UserRow, userSorts } from '../contract.ts'
import { roleColumns } from './admin-role-columns.tsx'

const AdminRoleDialog = lazy(() => import('./admin-role-dialog.tsx').then((module) => ({ default: module.AdminRoleDialog })))
const AdminPasswordDialog = lazy(() => import('./admin-password-dialog.tsx').then((module) => ({ default: module.AdminPasswordDialog })))
const tableId = 'admin-roles'

/** The Roles tab of the Admin Panel: who may manage the system, and new passwords. */
export function AdminRolesPanel() {
  const list = useListAddress({ sorts: userSorts })
  const users = useQuery({ ...query(listUsers, { query: list.query }), placeholderData: keepPreviousData })
  const [role, onRole] = useRowDialog<UserRow>(tableId)
  const [password, onPassword] = useRowDialog<UserRow>(tableId)
  const columns = useMemo(() => roleColumns({ onRole, onPassword }), [onRole, onPassword])

  return (
    <>
      <DataTable
        id={tableId}
        label="Roles"
        noun="users"
        columns={columns}
        list={list}
        result={users}
        searchPlaceholder="Search by username or email..."
        exportHref={exportUsers.path}
        empty="Nobody has registered yet."
      />
      <Suspense>{role && <AdminRoleDialog key={role.turn} user={role.row} returnTo={role.returnTo} />}</Suspense>
      <Suspense>{password && <AdminPasswordDialog key={password.turn} user={password.row} returnTo={password.returnTo} />}</Suspense>
    </>
  )
}
