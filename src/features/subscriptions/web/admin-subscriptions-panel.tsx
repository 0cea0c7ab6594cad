import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { exportUsers, listUsers, userSorts } from '#features/accounts/admin-contract.ts'
import { subscriptionStatus } from '#features/accounts/contract.ts'
import { query } from '#web/data.ts'
import { Input } from '#web/ui/form/input.tsx'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { FilterSelect } from '#web/ui/table/filter-select.tsx'
import { useAddressFilters } from '#web/ui/table/use-address-filters.ts'
import { useListAddress } from '#web/ui/table/use-list-address.ts'
import { statusNames } from '../rules.ts'
import { subscriptionColumns } from './admin-subscription-columns.tsx'

// The default page size of this table is five.
const rules = { sorts: userSorts, statuses: subscriptionStatus.options, pageSize: 5 }
const filterNames = ['endsOn'] as const
const datePattern = /^2\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

/** The Subscriptions tab of the Admin Panel. */
export function AdminSubscriptionsPanel() {
  const address = useListAddress(rules)
  const filters = useAddressFilters(filterNames)
  const { endsOn } = filters.values
  const list = {
    ...address,
    // Ignore an incomplete date in the URL.
    query: { ...address.query, ...(endsOn && datePattern.test(endsOn) && { endsOn }) },
    isFiltered: address.isFiltered || filters.isSet,
    isChanged: address.isChanged || filters.isSet,
    reset: () =>
      filters.set({
        endsOn: undefined,
        ...({ search: undefined, status: undefined, sort: undefined, order: undefined } as object),
      }),
  }
  const result = useQuery({ ...query(listUsers, { query: list.query }), placeholderData: keepPreviousData })
  return (
    <DataTable
      id="admin-subscriptions"
      label="Subscriptions"
      noun="users"
      columns={subscriptionColumns}
      list={list}
      result={result}
      searchPlaceholder="Search by username or email..."
      filters={
        <>
          <FilterSelect
            label="Status"
            all="All statuses"
            options={subscriptionStatus.options}
            nameOf={(status) => statusNames[status]}
            value={list.status}
            onChange={(status) => list.set({ status })}
          />
          <span className="table-day">
            <label htmlFor="subscriptions-ends-on">Ends on</label>
            <Input
              id="subscriptions-ends-on"
              type="date"
              className="input-sm"
              min="2000-01-01"
              max="2100-12-31"
              value={endsOn ?? ''}
              onChange={({ target }) => filters.set({ endsOn: target.value || undefined })}
            />
          </span>
        </>
      }
      exportHref={exportUsers.path}
      empty="No users have registered yet."
    />
  )
}
