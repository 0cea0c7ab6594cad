import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { query } from '#web/data.ts'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { useListAddress } from '#web/ui/table/use-list-address.ts'
import { exportUsers, listUsers, userSorts } from '../contract.ts'
import { userColumns } from './admin-user-columns.tsx'

/** The Users tab of the Admin Panel. */
export function AdminUsersSection() {
  const list = useListAddress({ sorts: userSorts })
  const users = useQuery({ ...query(listUsers, { query: list.query }), placeholderData: keepPreviousData })
  return (
    <DataTable
      label="Users"
      noun="users"
      columns={userColumns}
      list={list}
      result={users}
      searchPlaceholder="Search by username or email..."
      exportHref={exportUsers.path}
      empty="No users yet."
    />
  )
}
