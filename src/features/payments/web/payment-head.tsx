import { format } from 'date-fns'
import { ArrowLeft } from 'lucide-react'
import { Button } from '#web/ui/button/button.tsx'
import type { PaymentDetail } from '../admin-contract.ts'
import { amountText, railNames } from '../rules.ts'
import { payerOf } from './decisions.ts'
import { KindBadge } from './kind-badge.tsx'
import { PaymentDue } from './list/payment-due.tsx'

interface Props {
  payment: PaymentDetail
  /** Within how many minutes a payment should be decided; undefined until the list is loaded. */
  promiseMinutes: number | undefined
  onBack: () => void
}

const sources = {
  typed: 'Typed in',
  mail: 'Email from the provider',
  statement: 'Statement',
  event: 'Notification from the provider',
}

/** The payer, the source, the time left and the amount of a payment. */
export function PaymentHead({ payment, promiseMinutes, onBack }: Props) {
  return (
    <header className="payment-head">
      <Button variant="line" size="sm" className="payment-back" onClick={onBack}>
        <ArrowLeft size={16} />
        List
      </Button>
      <span className={`rail rail-${payment.rail}`} aria-hidden="true">
        {railNames[payment.rail].charAt(0)}
      </span>
      <div className="payment-payer">
        <h2 id="payment-title" className="text-xl">
          {payerOf(payment)}
        </h2>
        <p className="text-sm text-fg-2">{facts(payment)}</p>
        {payment.status === 'open' && promiseMinutes !== undefined && (
          <PaymentDue since={payment.createdAt} promiseMinutes={promiseMinutes} />
        )}
      </div>
      <KindBadge row={payment} />
      <b className="payment-amount num">{amountText(payment)}</b>
    </header>
  )
}

function facts({
  rail,
  payerHandle,
  payerName,
  paidAt,
  paidOn,
  source,
  providerReference,
  recordedBy,
  statements,
}: PaymentDetail): string {
  const when = paidAt
    ? format(new Date(paidAt), 'MMM d, yyyy, h:mm a')
    : format(new Date(`${paidOn}T12:00:00`), 'MMM d, yyyy')
  return [
    railNames[rail],
    payerName && payerHandle,
    when,
    recordedBy ? `${sources[source]} by ${recordedBy}` : source !== 'statement' && sources[source],
    ...statements.map(({ name, line }) => `${name}, row ${line}`),
    providerReference,
  ]
    .filter(Boolean)
    .join(' · ')
}
