import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { query } from '#web/data.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { NativeSelect } from '#web/ui/native-select.tsx'
import { useListAddress } from '#web/ui/use-list-address.ts'
import { type AdminInvoice, invoiceSorts, invoiceStatus, listAllInvoices } from '../contract.ts'
import { invoiceColumns } from './admin-invoice-columns.tsx'

const AdminInvoiceDialog = lazy(() => import('./admin-invoice-dialog.tsx').then((module) => ({ default: module.AdminInvoiceDialog })))

const rules = { sorts: invoiceSorts, statuses: invoiceStatus.options }
const anyStatus = 'all'
const tableId = 'admin-invoices'

/** The Invoices tab of the Admin Panel: where payments are confirmed. */
export function AdminInvoicesPanel() {
  const list = useListAddress(rules)
  const invoices = useQuery({ ...query(listAllInvoices, { query: list.query }), placeholderData: keepPreviousData })
  const [managed, setManaged] = useState<{ invoice: AdminInvoice; button: HTMLElement; turn: number }>()
  const columns = useMemo(() => invoiceColumns((invoice, button) => setManaged((before) => ({ invoice, button, turn: (before?.turn ?? 0) + 1 }))), [])

  return (
    <>
      <DataTable
        id={tableId}
        label="Invoices"
        noun="invoices"
        columns={columns}
        list={list}
        result={invoices}
        searchPlaceholder="Search invoice or customer..."
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
                {status.slice(0, 1).toUpperCase() + status.slice(1)}
              </option>
            ))}
          </NativeSelect>
        }
        empty="No invoices yet. They appear here as soon as somebody checks out."
      />
      <Suspense>
        {managed && (
          <AdminInvoiceDialog
            key={managed.turn}
            opened={managed.invoice}
            current={invoices.data?.rows.find(({ id }) => id === managed.invoice.id)}
            // The row may be gone by then: a filter hides what was just confirmed.
            returnTo={() => (managed.button.isConnected ? managed.button : document.getElementById(tableId))}
          />
        )}
      </Suspense>
    </>
  )
}
