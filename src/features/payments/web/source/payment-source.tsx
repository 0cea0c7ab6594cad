import { format } from 'date-fns'
import { ShieldCheck, ShieldQuestion } from 'lucide-react'
import { authText } from '#features/receipts/mailbox-rules.ts'
import { processorNames } from '#features/receipts/processor-rules.ts'
import type { PaymentDetail } from '../../admin-contract.ts'
import { PaymentRuleNote } from '../payment-rule-note.tsx'
import { ShowEmailButton } from './show-email-button.tsx'

/** Shows the emails and events that reported a payment, how well they are verified, and whether the payment meets the conditions of automatic confirmation. */
export function PaymentSource({ payment }: { payment: PaymentDetail }) {
  const { emails, events, rules, rule } = payment
  if (emails.length === 0 && events.length === 0) return null
  return (
    <section aria-labelledby="payment-source" className="payment-source">
      <h3 id="payment-source" className="font-semibold">
        Where it comes from
      </h3>
      <ul className="grid gap-2">
        {events.map((event) => (
          <li key={`event-${event.id}`}>
            <p className="flex items-center gap-2">
              <ShieldCheck size={16} /> Event from {processorNames[event.processor]}; we verified the signature
            </p>
            <p className="text-fg-2">
              {event.type}, {format(new Date(event.receivedAt), 'MMM d, yyyy, h:mm a')}
            </p>
            <p className="break-all text-fg-2">Event {event.eventId}</p>
          </li>
        ))}
        {emails.map((email) => (
          <li key={email.id}>
            <p className="flex items-center gap-2">
              {email.auth === 'proven' ? <ShieldCheck size={16} /> : <ShieldQuestion size={16} />}
              {authText(email.auth, email.signedBy)}
            </p>
            <p className="text-fg-2">
              “{email.subject}” from {email.sender}, {format(new Date(email.receivedAt), 'MMM d, yyyy, h:mm a')}
            </p>
            {!email.isKnownLayout && <p>Its layout is not known. Compare the amount with the email itself.</p>}
            {email.messageId && <p className="break-all text-fg-2">Message-ID {email.messageId}</p>}
            {email.canOpen && <ShowEmailButton emailId={email.id} payment={payment} />}
          </li>
        ))}
      </ul>
      {rules && (
        <div>
          <p>
            {rules.wouldConfirm
              ? 'Every condition of automatic confirmation holds.'
              : 'Not confirmed automatically, for these reasons:'}
          </p>
          {!rules.wouldConfirm && (
            <ul className="list-disc pl-5 text-fg-2">
              {rules.against.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          )}
          <PaymentRuleNote rule={rule} />
        </div>
      )}
    </section>
  )
}
