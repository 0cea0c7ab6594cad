import { useQuery } from '@tanstack/react-query'
import { CalendarPlus, Mail, Tv, Undo2, UserCheck, Wallet } from 'lucide-react'
import { messageOf } from '#kit/caller.ts'
import { formatSignedCents } from '#kit/money.ts'
import { Note } from '#web/ui/note.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { PaymentDetail, PaymentPreview } from '../admin-contract.ts'
import type { Choice } from './decisions.ts'
import { effectQuery } from './effect-query.ts'

const emailNames: Record<string, string> = {
  payment_confirmed: 'Payment confirmed',
  payment_short: 'Part of a payment received',
  payment_reversed: 'Payment no longer confirmed',
}

const lineTexts: Record<
  PaymentPreview['lines'][number]['change'],
  { title: (name: string) => string; detail: string }
> = {
  create: {
    title: (name) => `New line for ${name}`,
    detail: 'Created on the panel, or listed under Lines if you create lines manually.',
  },
  enable: { title: (name) => `Line ${name} is turned on again`, detail: 'Same login as before.' },
  extend: { title: (name) => `Line ${name} stays on`, detail: 'Its end date is updated.' },
  disable: { title: (name) => `Line ${name} is turned off`, detail: 'The customer is no longer entitled to it.' },
}

/** Shows what the chosen decision would do. The server determines this by running the decision and rolling it back. */
export function PaymentEffects({ payment, choice }: { payment: PaymentDetail; choice: Choice }) {
  const { data, error } = useQuery(effectQuery(payment, choice.decision))
  return (
    <section aria-labelledby="payment-effects" aria-busy={!data && !error}>
      <h3 id="payment-effects" className="mb-3 text-base">
        What this does
      </h3>
      {error && <Note tone="bad">{messageOf(error)}</Note>}
      {data?.refusal && <Note tone="warn">{data.refusal.message}</Note>}
      {data && !data.refusal && (
        <ul className="effects">
          {data.invoices.map((each) => (
            <li key={each.invoiceNumber}>
              <CalendarPlus size={18} />
              <span>
                <b>{each.planName}</b>
                {!each.endsAfter && !each.isPaid && ' ends'}
                {each.endsAfter && (
                  <>
                    {' '}
                    until <DateText value={each.endsAfter} />
                  </>
                )}
                <small>
                  {each.invoiceNumber} is {each.isPaid ? 'paid' : 'open again'}.{' '}
                  {each.endsBefore ? (
                    <>
                      Now until <DateText value={each.endsBefore} />.
                    </>
                  ) : (
                    each.isPaid && 'The subscription starts.'
                  )}
                </small>
              </span>
            </li>
          ))}
          {data.bookings.map((booking) => (
            <li key={`${booking.username} ${booking.type} ${booking.amount}`}>
              <Wallet size={18} />
              <span>
                <b>Credit {formatSignedCents(booking.amount)}</b>
                <small>Account of {booking.username}</small>
              </span>
            </li>
          ))}
          {data.lines.map(({ username, line, change }) => (
            <li key={username}>
              <Tv size={18} />
              <span>
                <b>{lineTexts[change].title(line ?? username)}</b>
                <small>{lineTexts[change].detail}</small>
              </span>
            </li>
          ))}
          {data.remembersPayer && (
            <li>
              <UserCheck size={18} />
              <span>
                <b>{payment.payerHandle || payment.payerName} is remembered</b>
                <small>The next payment from this sender counts as known.</small>
              </span>
            </li>
          )}
          {data.emails.length > 0 && (
            <li>
              <Mail size={18} />
              <span>
                <b>Email to the customer</b>
                <small>
                  “{emailNames[data.emails[0]!] ?? data.emails[0]}” to {data.recipients.join(', ')}
                </small>
              </span>
            </li>
          )}
          <li>
            <Undo2 size={18} />
            <span>
              <b>You can undo it</b>
              <small>Dates, line and credit return to what they were.</small>
            </span>
          </li>
        </ul>
      )}
    </section>
  )
}
