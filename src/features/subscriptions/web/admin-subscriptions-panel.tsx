import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo } from 'react'
import { exportUsers, listUsers, subscriptionStatus, type UserRow, userSorts } from '#features/accounts/contract.ts'
import { query } from '#web/data.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { NativeSelect } from '#web/ui/native-select.tsx'
import { useListAddress } from '#web/ui/use-list-address.ts'
import { useRowDialog } from '#web/ui/use-row-dialog.ts'
import { statusNames } from '../rules.ts'
import { subscriptionColumns } from './admin-subscription-columns.tsx'

const AdminSubscriptionDialog = lazy(() => import('./admin-subscription-dialog.tsx').then((module) => ({ default: module.AdminSubscriptionDialog })))

// Five rows at first: decisions, Screens.
const rules = { sorts: userSorts, statuses: subscriptionStatus.options, pageSize: 5 }
const anyStatus = 'all'
const tableId = 'admin-subscriptions'

/** The Subscriptions tab of the Admin Panel. */
export function AdminSubscriptionsPanel() {
  const list = useListAddress(rules)
  const users = useQuery({ ...query(listUsers, { query: list.query }), placeholderData: keepPreviousData })
  const [managed, onManage] = useRowDialog<UserRow>(tableId)
  const columns = useMemo(() => subscriptionColumns(onManage), [onManage])

  return (
    <>
      <DataTable
        id={tableId}
        label="Subscriptions"
        noun="users"
        columns={columns}
        list={list}
        result={users}
        searchPlaceholder="Search by username or email..."
        filters={
          <NativeSelect
            className="input-sm"
            aria-label="Status"
            value={list.status ?? anyStatus}
            onChange={({ target }) => list.set({ status: target.value === anyStatus ? undefined : target.value })}
          >
            <option value={anyStatus}>All statuses</option>
            {rules.statuses.map((status) => (
              <option key={status} value={status}>
                {statusNames[status]}
              </option>
            ))}
          </NativeSelect>
        }
        exportHref={exportUsers.path}
        empty="Nobody has registered yet."
      />
      <Suspense>
        {managed && (
          <AdminSubscriptionDialog
            key={managed.turn}
            opened={managed.row}
            current={users.data?.rows.find(({ id }) => id === managed.row.id)}
            returnTo={managed.returnTo}
          />
        )}
      </Suspense>
    </>
  )
}
