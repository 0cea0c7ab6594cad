import { Card } from '#web/ui/card.tsx'
import { Money } from '#web/ui/money.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { methodNames } from '../../rules.ts'
import type { CheckoutState } from './use-checkout.ts'

/** Step 3: the submitted details, shown while they are sent. */
export function CheckoutSendingPanel({ checkout: { order, payment } }: { checkout: CheckoutState }) {
  const submitted = [
    ['Payment method', methodNames[payment.watch('paymentMethod')]],
    ['Payment note', payment.watch('paymentNote')],
    ['Confirmation code', payment.watch('confirmationCode')],
  ].filter(([, value]) => value && order?.invoice.amount !== 0)
  return (
    <Card title="Confirmation">
      <p className="flex items-center gap-3" role="status">
        <Spinner className="text-brand-graphic text-xl" />
        Sending your payment details…
      </p>
      <dl className="mt-5 grid gap-3 border-t pt-5 text-15">
        {submitted.map(([term, value]) => (
          <div key={term} className="flex justify-between gap-4">
            <dt className="text-fg-2">{term}</dt>
            <dd className="wrap-anywhere font-semibold">{value}</dd>
          </div>
        ))}
        {order && (
          <div className="flex justify-between gap-4">
            <dt className="text-fg-2">Amount</dt>
            <dd className="font-semibold">
              <Money cents={order.invoice.amount} />
            </dd>
          </div>
        )}
      </dl>
    </Card>
  )
}
