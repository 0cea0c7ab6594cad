import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { Customer } from '#features/customers/contract.ts'
import { DateText } from '#web/ui/date-text.tsx'
import { Money } from '#web/ui/money.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { CustomerList, type CustomerRow } from './customer-list.tsx'

const bookings = {
  referral_bonus: 'Referral bonus',
  admin_adjustment: 'Correction',
  payment: 'Payment',
  refund: 'Refund',
} as const

/** Invoices, and the ledger of the account credit. */
export function CustomerMoney({ user, invoices, credit }: Pick<Customer, 'user' | 'invoices' | 'credit'>) {
  return (
    <>
      <CustomerList
        id="invoices"
        title="Invoices"
        empty="No invoices yet."
        rows={invoices.rows.map((invoice) => ({
          id: invoice.id,
          main: (
            <>
              <Link
                to="/invoice/$invoiceNumber"
                params={{ invoiceNumber: invoice.invoiceNumber }}
                preload={false}
                className="link num"
              >
                {invoice.invoiceNumber}
              </Link>{' '}
              {invoice.planName}
            </>
          ),
          note: (
            <>
              <DateText value={invoice.createdAt} /> · <Money cents={invoice.amount} />
            </>
          ),
          aside: (
            <>
              <StatusBadge status={invoice.status} />
              {invoice.refund === 'pending' && (
                <Link
                  to="/admin"
                  search={{ tab: 'invoices', refund: 'pending', search: invoice.invoiceNumber }}
                  className="link block text-sm"
                >
                  Refund requested
                </Link>
              )}
            </>
          ),
        }))}
        footer={
          invoices.total > 0 && (
            <Link to="/admin" search={{ tab: 'invoices', search: user.email }} className="link">
              {invoices.total > invoices.rows.length
                ? `Manage all ${invoices.total} invoices`
                : 'Manage in the list of invoices'}
            </Link>
          )
        }
      />
      <CustomerList
        id="credit"
        title="Account Credit"
        aside={<b className="display num text-xl">{credit.formattedBalance}</b>}
        empty="No transactions yet"
        rows={[
          ...credit.pending.map(pendingRow),
          ...credit.transactions.map((booking) => ({
            id: booking.id,
            main: booking.description,
            note: (
              <>
                <DateText value={booking.createdAt} /> · {bookings[booking.type]}
                {booking.createdBy && ` by ${booking.createdBy}`}
              </>
            ),
            aside: (
              <b className={clsx('num font-semibold', booking.amount > 0 ? 'text-ok' : 'text-bad')}>
                {booking.formattedAmount}
              </b>
            ),
          })),
        ]}
      />
    </>
  )
}

const pendingRow = (
  { formattedAmount, availableAt }: Customer['credit']['pending'][number],
  index: number,
): CustomerRow => ({
  id: `pending ${index}`,
  main: 'Referral bonus, pending',
  note: (
    <>
      Can be spent from <DateText value={availableAt} />
    </>
  ),
  aside: <b className="num font-semibold text-fg-2">{formattedAmount}</b>,
})
