import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { query } from '#web/data.ts'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { useListAddress } from '#web/ui/table/use-list-address.ts'
import { exportUsers, listUsers, userSorts } from '../contract.ts'
import { roleColumns } from './admin-role-columns.tsx'

/** The Roles tab of the Admin Panel: change roles and reset passwords. */
export function AdminRolesSection() {
  const list = useListAddress({ sorts: userSorts })
  const users = useQuery({ ...query(listUsers, { query: list.query }), placeholderData: keepPreviousData })
  return (
    <DataTable
      id="admin-roles"
      label="Roles"
      noun="users"
      columns={roleColumns}
      list={list}
      result={users}
      searchPlaceholder="Search by username or email..."
      exportHref={exportUsers.path}
      empty="No users yet."
    />
  )
}
