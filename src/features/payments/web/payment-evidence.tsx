import { format } from 'date-fns'
import { Check, Equal, EqualNot, Minus, X } from 'lucide-react'
import type { Evidence, PaymentCandidate } from '../admin-contract.ts'

const names = { reference: 'Reference', amount: 'Amount', sender: 'Sender', time: 'Time' }
const looks = {
  same: { icon: Check, words: 'same', tick: 'tick-ok' },
  different: { icon: EqualNot, words: 'different', tick: 'tick-warn' },
  conflict: { icon: X, words: 'conflict', tick: 'tick-bad' },
  unknown: { icon: Minus, words: 'not known', tick: 'tick-none' },
}

/** The payment and the invoice beside each other, joined by what is the same. */
export function PaymentEvidence({ candidate }: { candidate: PaymentCandidate }) {
  const same = candidate.evidence.filter(({ state }) => state === 'same').length
  return (
    <section aria-labelledby="payment-evidence">
      <h3 id="payment-evidence" className="payment-sum">
        {same === candidate.evidence.length ? <Check size={18} /> : <Equal size={18} />}
        {same === candidate.evidence.length ? 'All four match' : `${same} of ${candidate.evidence.length} match`}
      </h3>
      <table className="evidence">
        <thead>
          <tr>
            <th scope="col">Payment</th>
            <th scope="col">
              <span className="sr-only">Comparison</span>
            </th>
            <th scope="col">Invoice {candidate.invoiceNumber}</th>
          </tr>
        </thead>
        <tbody>
          {candidate.evidence.map((each) => (
            <tr key={each.about}>
              <td>{shown(each, each.payment)}</td>
              <th scope="row">
                <Tick state={each.state} />
                {names[each.about]}
              </th>
              <td>{shown(each, each.invoice)}</td>
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

/** Instants are shown in the administrator's time zone. */
const shown = ({ about }: Evidence, text: string): string =>
  about === 'time' && text.includes('T') ? format(new Date(text), 'MMM d, yyyy, h:mm a') : text
