import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getPaymentMethods } from '#features/settings/contract.ts'
import type { OwnSubscription } from '#features/subscriptions/contract.ts'
import { formatCents } from '#kit/money.ts'
import { query } from '#web/data.ts'
import { DateText } from '#web/ui/time/date-text.tsx'
import { SetupStep } from './setup-step.tsx'

const names = { cashapp: 'Cash App', venmo: 'Venmo', creditcard: 'card' }

/** The first step: the payment is being checked or was received. */
export function PaymentStep({ payment }: { payment: OwnSubscription['payment'] }) {
  const { data: settings } = useSuspenseQuery(query(getPaymentMethods))
  if (!payment) return <SetupStep number={1} title="Your trial is approved" state="done" />
  const { amount, paymentMethod, invoiceNumber, at, isConfirmed } = payment
  const paid = paymentMethod ? `${formatCents(amount)} by ${names[paymentMethod]}.` : `${formatCents(amount)}.`
  const hours = paymentMethod === 'creditcard' ? settings.cardHours : settings.verificationHours
  return (
    <SetupStep
      number={1}
      title={isConfirmed ? 'Payment received' : 'We are checking your payment'}
      state={isConfirmed ? 'done' : 'working'}
      aside={<DateText value={at} look="minute" />}
    >
      <p>
        {paid}{' '}
        <Link to="/invoice/$invoiceNumber" params={{ invoiceNumber }} className="link">
          View Invoice <span className="num">{invoiceNumber}</span>
        </Link>
      </p>
      {!isConfirmed && (
        <p>
          This takes up to {hours === 1 ? '1 hour' : `${hours} hours`}. Please do not pay twice. This page updates
          automatically.
        </p>
      )}
    </SetupStep>
  )
}
