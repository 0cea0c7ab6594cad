import { EqualNot } from 'lucide-react'
import { formatCents } from '#kit/money.ts'
import { Meter } from '#web/ui/meter.tsx'

/** Shows how much of the amount due a payment covers. Amounts are in cents. */
export function PaymentShort({ openCents, due }: { openCents: number; due: number }) {
  const missing = `${formatCents(due - openCents)} missing`
  const received = `${formatCents(openCents)} received`
  return (
    <section aria-labelledby="payment-short" className="mb-4">
      <h3 id="payment-short" className="payment-sum mt-0!">
        <EqualNot size={18} aria-hidden="true" />
        {formatCents(due - openCents)} is missing
      </h3>
      <Meter value={openCents} max={due} label={`${received}, ${missing}`} start={received} end={missing} />
    </section>
  )
}
