import { query } from '#web/data.ts'
import { AdminList } from '#web/ui/table/admin-list.tsx'
import { exportUsers, listUsers, userSorts } from '../admin-contract.ts'
import { roleColumns } from './admin-role-columns.tsx'

const rules = { sorts: userSorts }

/** The Roles tab of the Admin Panel: change roles and reset passwords. */
export function AdminRolesSection() {
  return (
    <AdminList
      id="admin-roles"
      label="Roles"
      noun="users"
      columns={roleColumns}
      rules={rules}
      load={(search) => query(listUsers, { query: search })}
      searchPlaceholder="Search by username or email..."
      exportHref={exportUsers.path}
      empty="No users yet."
    />
  )
}
