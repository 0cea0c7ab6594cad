import { FilterSelect } from '#web/ui/table/filter-select.tsx'
import type { ListAddress } from '#web/ui/table/use-list-address.ts'
import { invoiceStatus, paymentMethod, refundStatus } from '../../contract.ts'
import { methodNames } from '../../rules.ts'

const refundLabels = { pending: 'Refund requested', approved: 'Refund approved', declined: 'Refund declined' }

function withFilter(filters: ListAddress['filters'], name: string, value: string | undefined): ListAddress['filters'] {
  const { [name]: _, ...others } = filters
  return value ? { ...others, [name]: value } : others
}

/** Filters by status, payment method and refund status. */
export function AdminInvoiceFilters({ list }: { list: Pick<ListAddress, 'status' | 'filters' | 'set'> }) {
  return (
    <>
      <FilterSelect
        label="Status"
        all="All statuses"
        options={invoiceStatus.options}
        nameOf={(status) => status.slice(0, 1).toUpperCase() + status.slice(1)}
        value={list.status}
        onChange={(status) => list.set({ status })}
      />
      <FilterSelect
        label="Payment method"
        all="All methods"
        options={paymentMethod.options}
        nameOf={(method) => methodNames[method]}
        value={list.filters.paymentMethod}
        onChange={(method) => list.set({ filters: withFilter(list.filters, 'paymentMethod', method) })}
      />
      <FilterSelect
        label="Refund"
        all="Any refund"
        options={refundStatus.options}
        nameOf={(status) => refundLabels[status]}
        value={list.filters.refund}
        onChange={(status) => list.set({ filters: withFilter(list.filters, 'refund', status) })}
      />
    </>
  )
}
