import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { Customer } from '#features/customers/admin-contract.ts'
import { Money } from '#web/ui/money.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { DateText } from '../../../ui/time/date-text.tsx'
import { CustomerList, type CustomerRow } from './customer-list.tsx'

const transactionNames = {
  referral_bonus: 'Referral bonus',
  admin_adjustment: 'Adjustment',
  payment: 'Payment',
  refund: 'Refund',
} as const

/** The invoices and the account credit transactions. */
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
                : 'Manage in the invoice list'}
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
          ...credit.transactions.map((transaction) => ({
            id: transaction.id,
            main: transaction.description,
            note: (
              <>
                <DateText value={transaction.createdAt} /> · {transactionNames[transaction.type]}
                {transaction.createdBy && ` by ${transaction.createdBy}`}
              </>
            ),
            aside: (
              <b className={clsx('num font-semibold', transaction.amount > 0 ? 'text-ok' : 'text-bad')}>
                {transaction.formattedAmount}
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
      Available from <DateText value={availableAt} />
    </>
  ),
  aside: <b className="num font-semibold text-fg-2">{formattedAmount}</b>,
})
