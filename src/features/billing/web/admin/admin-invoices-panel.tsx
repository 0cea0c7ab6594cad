import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { useListAddress } from '#web/ui/table/use-list-address.ts'
import { type AdminInvoice, exportInvoices, invoiceSorts, listAllInvoices } from '../../admin-contract.ts'
import { invoiceStatus, paymentMethod, refundStatus } from '../../contract.ts'
import { invoiceColumns } from './admin-invoice-columns.tsx'
import { AdminInvoiceFilters } from './admin-invoice-filters.tsx'
import { AdminOpenRefunds } from './admin-open-refunds.tsx'

const AdminConfirmDialog = lazy(() =>
  import('./admin-confirm-dialog.tsx').then((module) => ({ default: module.AdminConfirmDialog })),
)

const rules = {
  sorts: invoiceSorts,
  statuses: invoiceStatus.options,
  filters: { paymentMethod: paymentMethod.options, refund: refundStatus.options },
}
const tableId = 'admin-invoices'

/** The Invoices tab of the Admin Panel. */
export function AdminInvoicesPanel() {
  const list = useListAddress(rules)
  const invoices = useQuery({ ...query(listAllInvoices, { query: list.query }), placeholderData: keepPreviousData })
  const [selected, setSelected] = useState<readonly AdminInvoice[]>([])
  const [together, openTogether] = useOpenDialog<readonly AdminInvoice[]>(tableId)

  return (
    <>
      <AdminOpenRefunds list={list} />
      <DataTable
        id={tableId}
        label="Invoices"
        noun="invoices"
        columns={invoiceColumns}
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
            <Button size="sm" onClick={({ currentTarget }) => openTogether(selected, currentTarget)}>
              Confirm Payments
            </Button>
          ),
        }}
        empty="No invoices yet. They appear here after the first checkout."
      />
      <Suspense>
        {together && (
          <AdminConfirmDialog
            key={together.openCount}
            chosen={together.subject}
            returnTo={together.returnTo}
            onConfirmed={(ids) => setSelected((before) => before.filter(({ id }) => !ids.includes(id)))}
          />
        )}
      </Suspense>
    </>
  )
}
