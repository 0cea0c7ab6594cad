import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Card } from '#web/ui/card.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { CheckoutState } from './use-checkout.ts'

const messages = {
  cancelled: {
    title: 'This order was cancelled',
    text: 'It can no longer be paid. If you have already sent the money, contact support with the invoice number and we will sort it out.',
  },
  expired: {
    title: 'This order has expired',
    text: 'It was not paid in time. Start a new order, or contact support with the invoice number if you have already sent the money.',
  },
  refunded: {
    title: 'This order was refunded',
    text: 'Your payment was returned, and the subscription time it paid for has ended. You can start a new order at any time.',
  },
}

/** Shown for a cancelled, expired or refunded order. */
export function CheckoutClosedPanel({ checkout: { state, order, plans } }: { checkout: CheckoutState }) {
  const closed = state.closed ?? 'cancelled'
  const planId = plans.find((plan) => plan.id === order?.invoice.planId)?.id
  return (
    <Card title={messages[closed].title} aside={<StatusBadge status={closed} />}>
      <p>
        Order <b className="num">{state.invoiceNumber}</b>: {messages[closed].text}
      </p>
      <div className="mt-6 flex flex-wrap gap-3 max-sm:flex-col">
        <ButtonLink to="/checkout" search={{ planId }}>
          Start a New Order
        </ButtonLink>
        <ButtonLink to="/contact" variant="line">
          Contact Support
        </ButtonLink>
        <ButtonLink to="/invoice/$invoiceNumber" params={{ invoiceNumber: state.invoiceNumber ?? '' }} variant="ghost">
          View Invoice
        </ButtonLink>
      </div>
    </Card>
  )
}
