import { NativeSelect } from '#web/ui/native-select.tsx'
import type { ListAddress } from '#web/ui/use-list-address.ts'
import { invoiceStatus, paymentMethod } from '../contract.ts'
import { methodNames } from '../rules.ts'

const any = 'all'

/** The invoices of one status, of one payment method. */
export function AdminInvoiceFilters({ list }: { list: Pick<ListAddress, 'status' | 'filters' | 'set'> }) {
  return (
    <>
      <NativeSelect
        className="input-sm"
        aria-label="Status"
        value={list.status ?? any}
        onChange={({ target }) => list.set({ status: target.value === any ? undefined : target.value })}
      >
        <option value={any}>All statuses</option>
        {invoiceStatus.options.map((status) => (
          <option key={status} value={status}>
            {status.slice(0, 1).toUpperCase() + status.slice(1)}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        className="input-sm"
        aria-label="Payment method"
        value={list.filters.paymentMethod ?? any}
        onChange={({ target }) => list.set({ filters: target.value === any ? {} : { paymentMethod: target.value } })}
      >
        <option value={any}>All methods</option>
        {paymentMethod.options.map((method) => (
          <option key={method} value={method}>
            {methodNames[method]}
          </option>
        ))}
      </NativeSelect>
    </>
  )
}
