import { Link } from '@tanstack/react-router'
import { formatCents } from '#kit/money.ts'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Note } from '#web/ui/note.tsx'
import type { OpenInvoice, OwnSubscription } from '../contract.ts'

/** Notices about a pending plan change, a payment under review, an unpaid invoice or a renewal. */
export function SubscriptionNotices({ subscription }: { subscription: OwnSubscription }) {
  const { change, purchase } = subscription
  const renewal = purchase ? null : subscription.renewal
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

function RenewalNotice({ invoice: { invoiceNumber, planId, amount } }: { invoice: OpenInvoice }) {
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

function PurchaseNotice({ invoice }: { invoice: OpenInvoice }) {
  const { invoiceNumber, planId, awaitsPayment: unpaid } = invoice
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
