import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button.tsx'
import { DataTable } from '#web/ui/data-table.tsx'
import { useListAddress } from '#web/ui/use-list-address.ts'
import { type AdminInvoice, exportInvoices, invoiceSorts, invoiceStatus, listAllInvoices, paymentMethod } from '../contract.ts'
import { invoiceColumns } from './admin-invoice-columns.tsx'
import { AdminInvoiceFilters } from './admin-invoice-filters.tsx'

const AdminInvoiceDialog = lazy(() => import('./admin-invoice-dialog.tsx').then((module) => ({ default: module.AdminInvoiceDialog })))
const AdminConfirmDialog = lazy(() => import('./admin-confirm-dialog.tsx').then((module) => ({ default: module.AdminConfirmDialog })))

const rules = { sorts: invoiceSorts, statuses: invoiceStatus.options, filters: { paymentMethod: paymentMethod.options } }
const tableId = 'admin-invoices'

/** The Invoices tab of the Admin Panel: where payments are confirmed. */
export function AdminInvoicesPanel() {
  const list = useListAddress(rules)
  const invoices = useQuery({ ...query(listAllInvoices, { query: list.query }), placeholderData: keepPreviousData })
  const [managed, setManaged] = useState<{ invoice: AdminInvoice; button: HTMLElement; turn: number }>()
  const [selected, setSelected] = useState<readonly AdminInvoice[]>([])
  const [together, setTogether] = useState<{ chosen: readonly AdminInvoice[]; turn: number }>()
  const confirmButton = useRef<HTMLButtonElement>(null)
  const columns = useMemo(() => invoiceColumns((invoice, button) => setManaged((before) => ({ invoice, button, turn: (before?.turn ?? 0) + 1 }))), [])
  const toTable = () => document.getElementById(tableId)

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
        filters={<AdminInvoiceFilters list={list} />}
        exportHref={exportInvoices.path}
        selection={{
          selected,
          onChange: setSelected,
          canSelect: ({ status }) => status === 'pending',
          nameOf: ({ invoiceNumber }) => invoiceNumber,
          actions: (
            <Button ref={confirmButton} size="sm" onClick={() => setTogether((before) => ({ chosen: selected, turn: (before?.turn ?? 0) + 1 }))}>
              Confirm Payments
            </Button>
          ),
        }}
        empty="No invoices yet. They appear here as soon as somebody checks out."
      />
      <Suspense>
        {managed && (
          <AdminInvoiceDialog
            key={managed.turn}
            opened={managed.invoice}
            current={invoices.data?.rows.find(({ id }) => id === managed.invoice.id)}
            // The row may be gone by then: a filter hides what was just confirmed.
            returnTo={() => (managed.button.isConnected ? managed.button : toTable())}
          />
        )}
      </Suspense>
      <Suspense>
        {together && (
          <AdminConfirmDialog
            key={together.turn}
            chosen={together.chosen}
            returnTo={() => confirmButton.current ?? toTable()}
            onConfirmed={(ids) => setSelected((before) => before.filter(({ id }) => !ids.includes(id)))}
          />
        )}
      </Suspense>
    </>
  )
}
