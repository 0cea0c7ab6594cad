import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { invoicePayments } from '#features/payments/admin-record-contract.ts'
import { railNames } from '#features/payments/rules.ts'
import { formatCents } from '#kit/money.ts'
import { query } from '#web/data.ts'
import type { AdminInvoice } from '../../admin-contract.ts'

/** The recorded payments of an invoice, each with a link to the payment desk. Renders nothing for an unpaid invoice that has none. */
export function AdminInvoiceReceived({ invoice }: { invoice: Pick<AdminInvoice, 'id' | 'status'> }) {
  const { data } = useQuery({
    ...query(invoicePayments, { params: { invoiceId: invoice.id } }),
    refetchOnMount: 'always',
  })
  if (!data || (data.length === 0 && invoice.status !== 'paid')) return null
  return (
    <section aria-labelledby="invoice-received" className="mt-5">
      <h3 id="invoice-received" className="mb-1.5 text-base">
        Received
      </h3>
      {data.length === 0 ? (
        <p className="text-fg-2 text-sm">Confirmed without a recorded payment.</p>
      ) : (
        <ul className="grid gap-1 text-sm">
          {data.map((each) => (
            <li key={`${each.paymentId} ${each.held}`}>
              <b className="num">{formatCents(each.amount)}</b> {railNames[each.rail]}, {each.paidOn}
              {each.held && ', held'}{' '}
              <Link
                to="/admin/payments"
                search={{ payment: each.paymentId, tab: each.held ? 'held' : 'done' }}
                className="link"
              >
                Open payment
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
