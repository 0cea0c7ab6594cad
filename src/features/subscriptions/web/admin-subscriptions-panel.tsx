import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { exportUsers, listUsers, subscriptionStatus, userSorts } from '#features/accounts/contract.ts'
import { query } from '#web/data.ts'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { FilterSelect } from '#web/ui/table/filter-select.tsx'
import { useListAddress } from '#web/ui/table/use-list-address.ts'
import { statusNames } from '../rules.ts'
import { subscriptionColumns } from './admin-subscription-columns.tsx'

// The default page size of this table is five.
const rules = { sorts: userSorts, statuses: subscriptionStatus.options, pageSize: 5 }

/** The Subscriptions tab of the Admin Panel. */
export function AdminSubscriptionsPanel() {
  const list = useListAddress(rules)
  const users = useQuery({ ...query(listUsers, { query: list.query }), placeholderData: keepPreviousData })
  return (
    <DataTable
      id="admin-subscriptions"
      label="Subscriptions"
      noun="users"
      columns={subscriptionColumns}
      list={list}
      result={users}
      searchPlaceholder="Search by username or email..."
      filters={
        <FilterSelect
          label="Status"
          all="All statuses"
          options={rules.statuses}
          nameOf={(status) => statusNames[status]}
          value={list.status}
          onChange={(status) => list.set({ status })}
        />
      }
      exportHref={exportUsers.path}
      empty="No users have registered yet."
    />
  )
}
