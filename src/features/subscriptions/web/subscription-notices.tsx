import { Link } from '@tanstack/react-router'
import type { Invoice } from '#features/billing/contract.ts'
import { awaitsPayment, isPlanChange, statusAt } from '#features/billing/rules.ts'
import { formatCents } from '#kit/money.ts'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Note } from '#web/ui/note.tsx'

/** Notices about a pending plan change, a payment under review, an unpaid invoice or a renewal. */
export function SubscriptionNotices({ invoices }: { invoices: readonly Invoice[] }) {
  const now = new Date()
  const pending = invoices.filter((invoice) => statusAt(invoice, now) === 'pending')
  const change = pending.find(isPlanChange)
  const purchase = pending.find((invoice) => !isPlanChange(invoice))
  const renewal = purchase
    ? undefined
    : invoices.find((invoice) => invoice.renewsEnd !== null && statusAt(invoice, now) === 'draft')
  if (!change && !purchase && !renewal) return null

  return (
    <div className="mt-5 grid gap-3">
      {change && (
        <Note
          tone="warn"
          action={
            <ButtonLink to="/invoices" variant="ink" size="sm">
              View Pending Invoices
            </ButtonLink>
          }
        >
          <b>Plan change awaiting approval.</b> Invoice{' '}
          <Link to="/invoice/$invoiceNumber" params={{ invoiceNumber: change.invoiceNumber }} className="link num">
            {change.invoiceNumber}
          </Link>{' '}
          for {formatCents(change.amount)} is pending.
        </Note>
      )}
      {purchase && <PurchaseNotice invoice={purchase} />}
      {renewal && <RenewalNotice invoice={renewal} />}
    </div>
  )
}

function RenewalNotice({ invoice: { invoiceNumber, planId, amount } }: { invoice: Invoice }) {
  return (
    <Note
      tone="warn"
      action={
        <ButtonLink to="/checkout" search={{ planId, invoiceNumber }} variant="ink" size="sm">
          Renew Now
        </ButtonLink>
      }
    >
      <b>Your subscription ends soon.</b> Invoice <span className="num">{invoiceNumber}</span> for {formatCents(amount)}{' '}
      renews it. You lose no days by paying early.
    </Note>
  )
}

function PurchaseNotice({ invoice }: { invoice: Invoice }) {
  const { invoiceNumber, planId } = invoice
  const unpaid = awaitsPayment(invoice)
  const action = unpaid ? (
    <ButtonLink to="/checkout" search={{ planId, invoiceNumber }} variant="ink" size="sm">
      Pay Now
    </ButtonLink>
  ) : (
    <ButtonLink to="/invoice/$invoiceNumber" params={{ invoiceNumber }} variant="ink" size="sm">
      View Invoice
    </ButtonLink>
  )
  return (
    <Note tone="warn" action={action}>
      <b>{unpaid ? 'An invoice awaits your payment.' : 'Your payment is awaiting approval.'}</b> Invoice{' '}
      <span className="num">{invoiceNumber}</span> for {formatCents(invoice.amount)}, {invoice.planName}.
    </Note>
  )
}
