import { query } from '#web/data.ts'
import { May } from '#web/ui/permission/may.tsx'
import { AdminList } from '#web/ui/table/admin-list.tsx'
import { exportUsers, listUsers, userSorts } from '../admin-contract.ts'
import { userColumns } from './admin-user-columns.tsx'
import { NewCustomerButton } from './new-customer-button.tsx'

const rules = { sorts: userSorts }

/** The Users tab of the Admin Panel. */
export function AdminUsersSection() {
  return (
    <AdminList
      label="Users"
      noun="users"
      columns={userColumns}
      rules={rules}
      load={(search) => query(listUsers, { query: search })}
      searchPlaceholder="Search by username or email..."
      filters={
        <May needs="customers.edit">
          <NewCustomerButton />
        </May>
      }
      exportHref={exportUsers.path}
      empty="No users yet."
    />
  )
}
