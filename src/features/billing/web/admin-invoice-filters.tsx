import { FilterSelect } from '#web/ui/filter-select.tsx'
import type { ListAddress } from '#web/ui/use-list-address.ts'
import { invoiceStatus, paymentMethod } from '../contract.ts'
import { methodNames } from '../rules.ts'

/** The invoices of one status, of one payment method. */
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
        onChange={(method) => list.set({ filters: method ? { paymentMethod: method } : {} })}
      />
    </>
  )
}
