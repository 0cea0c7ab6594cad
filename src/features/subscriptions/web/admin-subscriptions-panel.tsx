import { exportUsers, listUsers, userSorts } from '#features/accounts/admin-contract.ts'
import { subscriptionStatus } from '#features/accounts/contract.ts'
import { query } from '#web/data.ts'
import { AdminList } from '#web/ui/table/admin-list.tsx'
import { statusNames } from '../rules.ts'
import { subscriptionColumns } from './admin-subscription-columns.tsx'

// The default page size of this table is five.
const rules = { sorts: userSorts, statuses: subscriptionStatus.options, pageSize: 5 }

/** The Subscriptions tab of the Admin Panel. */
export function AdminSubscriptionsPanel() {
  return (
    <AdminList
      id="admin-subscriptions"
      label="Subscriptions"
      noun="users"
      columns={subscriptionColumns}
      rules={rules}
      load={(search) => query(listUsers, { query: search })}
      searchPlaceholder="Search by username or email..."
      statusFilter={{ label: 'Status', all: 'All statuses', nameOf: (status) => statusNames[status] }}
      exportHref={exportUsers.path}
      empty="No users have registered yet."
    />
  )
}
