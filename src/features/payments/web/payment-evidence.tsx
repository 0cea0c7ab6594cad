import { Link } from '@tanstack/react-router'
import { format, formatDistanceStrict } from 'date-fns'
import { Check, EqualNot, Minus, X } from 'lucide-react'
import type { Evidence, PaymentCandidate } from '../admin-candidate-contract.ts'

const names = { reference: 'Reference', amount: 'Amount', sender: 'Sender', time: 'Time' }
const looks = {
  same: { icon: Check, words: 'same', tick: 'tick-ok' },
  different: { icon: EqualNot, words: 'different', tick: 'tick-warn' },
  conflict: { icon: X, words: 'conflict', tick: 'tick-bad' },
  unknown: { icon: Minus, words: 'not known', tick: 'tick-none' },
}

/** The texts for differences in the heading. */
const differences: Record<Evidence['about'], Partial<Record<Evidence['state'], string>>> = {
  reference: { unknown: 'no note', different: 'different note', conflict: 'the order of another customer' },
  amount: { different: 'different amount' },
  sender: { unknown: 'sender not known', different: 'new sender', conflict: 'paid for others before' },
  time: { unknown: 'time not known', different: 'after the deadline', conflict: 'paid before the order' },
}

/** Compares the payment and the invoice side by side, with a mark for each value that shows whether it matches. */
export function PaymentEvidence({ candidate }: { candidate: PaymentCandidate }) {
  const { evidence, invoiceNumber } = candidate
  const different = evidence.filter(({ state }) => state !== 'same')
  const words = different.flatMap(({ about, state }) => differences[about][state] ?? [])
  return (
    <section aria-labelledby="payment-evidence">
      <h3 id="payment-evidence" className="payment-sum">
        {different.length === 0 ? <Check size={18} /> : <EqualNot size={18} />}
        {different.length === 0
          ? 'All four match'
          : `${evidence.length - different.length} of ${evidence.length} match: ${words.join(', ')}`}
      </h3>
      <table className="evidence">
        <thead>
          <tr>
            <th scope="col">Payment</th>
            <th scope="col">
              <span className="sr-only">Comparison</span>
            </th>
            <th scope="col">
              Invoice{' '}
              <Link to={'/invoice/$invoiceNumber' as never} params={{ invoiceNumber } as never} className="link">
                {invoiceNumber}
              </Link>
            </th>
          </tr>
        </thead>
        <tbody>
          {evidence.map((each) => (
            <tr key={each.about}>
              <td>{evidenceText(each, each.payment)}</td>
              <th scope="row">
                <Tick state={each.state} />
                {names[each.about]}
              </th>
              <td>
                {evidenceText(each, each.invoice)}
                <small>{invoiceDetail(each, candidate)}</small>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {candidate.reasons.length > 0 && (
        <ul className="mt-3 grid gap-1 text-sm text-fg-2">
          {candidate.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Tick({ state }: Pick<Evidence, 'state'>) {
  const { icon: Icon, words, tick } = looks[state]
  return (
    <span className={`tick ${tick}`}>
      <Icon size={14} aria-hidden="true" />
      <span className="sr-only">{words}: </span>
    </span>
  )
}

/** Formats an instant in the administrator's time zone. Other values are returned unchanged. */
const evidenceText = ({ about }: Evidence, text: string): string =>
  about === 'time' && text.includes('T') ? format(new Date(text), 'MMM d, yyyy, h:mm a') : text

/** Returns further information about the invoice that is shown below a value. */
function invoiceDetail({ about: what, payment, invoice }: Evidence, candidate: PaymentCandidate): string {
  const { status, expiresAt, planName, timesBefore, submittedAt } = candidate
  switch (what) {
    case 'reference':
      return status === 'draft' || status === 'pending'
        ? `Open, expires ${format(new Date(expiresAt), 'MMM d')}`
        : statusWords[status]
    case 'amount':
      return planName
    case 'sender':
      if (timesBefore === 0) return 'First payment from this account'
      return timesBefore === 1 ? 'Paid once before' : `Paid ${timesBefore} times before`
    case 'time': {
      if (!payment.includes('T')) return ''
      const verb = submittedAt ? 'Submitted' : 'Ordered'
      const apartMs = Date.parse(payment) - Date.parse(invoice)
      if (Math.abs(apartMs) < 60_000) return `${verb} in the same minute`
      return `${verb} ${formatDistanceStrict(0, apartMs)} ${apartMs > 0 ? 'earlier' : 'later'}`
    }
  }
}
const statusWords = { paid: 'Paid', cancelled: 'Cancelled', expired: 'Expired', refunded: 'Refunded' }
