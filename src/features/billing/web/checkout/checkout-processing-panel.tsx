import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { formatCents } from '#kit/money.ts'
import { ButtonAnchor } from '#web/ui/button/button-anchor.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { CopyButton } from '#web/ui/button/copy-button.tsx'
import { Card } from '#web/ui/card.tsx'
import { useIsHydrated } from '#web/ui/hydration/use-is-hydrated.ts'
import { Note } from '#web/ui/note.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { securePaymentLink } from '../../rules.ts'
import type { CheckoutState } from './use-checkout.ts'

const PaymentProgressNote = lazy(() =>
  import('./payment-progress-note.tsx').then((module) => ({ default: module.PaymentProgressNote })),
)
const within = (hours: number) => (hours === 1 ? '1 hour' : `${hours} hours`)

/** Step 4: waiting for an administrator. The page advances automatically. */
export function CheckoutProcessingPanel({
  checkout: { state, order, user, paymentSettings, live },
}: {
  checkout: CheckoutState
}) {
  const number = state.invoiceNumber ?? ''
  const invoice = order?.invoice
  const isCard = invoice?.paymentMethod === 'creditcard'
  const link = invoice && securePaymentLink(invoice)
  const isFree = invoice?.amount === 0
  const isHydrated = useIsHydrated()

  return (
    <Card title="Awaiting Approval" aside={<StatusBadge status="pending" />}>
      <p className="text-lg">
        {isFree
          ? 'There is nothing left to pay. Your order takes effect once an administrator approves it.'
          : isCard
            ? `We will email you a secure payment link. Your subscription is activated after you pay, typically within ${within(paymentSettings.cardHours)}.`
            : `Thank you. We verify your payment manually, which may take up to ${within(paymentSettings.verificationHours)}.`}
      </p>
      {!isFree && number && isHydrated && (
        <Suspense>
          <PaymentProgressNote invoiceNumber={number} className="mt-5" />
        </Suspense>
      )}
      {order && order.received > 0 && (
        <Note tone="ok" className="mt-5">
          We received {formatCents(order.received)} of {formatCents(order.invoice.amount)}.{' '}
          <b>{formatCents(order.invoice.amount - order.received)} is left.</b> Please use the same note again.
        </Note>
      )}
      {link && (
        <ButtonAnchor href={link} target="_blank" rel="noopener noreferrer" className="mt-5 max-sm:w-full">
          Open Secure Payment Page
          <ExternalLink size={18} />
          <span className="sr-only">in a new tab</span>
        </ButtonAnchor>
      )}
      <div className="mt-5 flex flex-wrap items-center justify-between gap-3 rounded-md border bg-surface-2 px-4 py-3">
        <p>
          <span className="block text-fg-2 text-sm">Invoice number</span>
          <b className="num text-xl">{number}</b>
        </p>
        <div className="flex flex-wrap gap-2">
          <CopyButton text={number} what="invoice number" size="sm" />
          <ButtonLink to="/invoice/$invoiceNumber" params={{ invoiceNumber: number }} variant="line" size="sm">
            View Invoice
          </ButtonLink>
        </div>
      </div>
      <h3 className="mt-7">What happens next</h3>
      <ol className="mt-3 grid list-decimal gap-2 pl-5 text-15">
        {!isFree && (
          <li>
            {isCard
              ? `You pay ${invoice ? formatCents(invoice.amount) : 'the amount'} through the link we send.`
              : `We look for ${invoice ? formatCents(invoice.amount) : 'the amount'}${invoice?.paymentNote ? ` with the note “${invoice.paymentNote}”` : ''} in our account.`}
          </li>
        )}
        <li>
          When it is approved, your subscription starts and a confirmation goes to{' '}
          <b className="wrap-anywhere font-semibold">{user?.email}</b>.
        </li>
        <li>This page then updates automatically. You can also close it and come back through your invoice.</li>
      </ol>
      <p className="mt-6 border-t pt-5 text-fg-2 text-sm">
        <span role="status">
          {live ? 'Connected: the approval will appear here immediately.' : 'Checking for updates every 10 seconds.'}
        </span>{' '}
        Something wrong or taking too long?{' '}
        <Link to="/contact" className="link text-fg">
          Contact support
        </Link>
        and include your invoice number.
        {!isFree && (
          <>
            {' Payment instructions are on your '}
            <Link to="/invoice/$invoiceNumber" params={{ invoiceNumber: number }} className="link text-fg">
              invoice
            </Link>
            .
          </>
        )}
      </p>
    </Card>
  )
}
