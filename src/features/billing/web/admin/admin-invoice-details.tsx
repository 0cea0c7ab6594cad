import { formatDistanceToNow } from 'date-fns'
import { CircleAlert, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '#web/ui/badge.tsx'
import { Money } from '#web/ui/money.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { AdminInvoice } from '../../admin-contract.ts'
import { methodNames } from '../../rules.ts'

const hoursText = (count: number) => (count === 1 ? '1 hour' : `${count} hours`)
const noteMatchLabels = {
  same: 'Matches',
  similar: 'Refers to this invoice, but is spelled differently',
  different: 'Does not match',
}

/** The read-only details that an administrator compares with the payment app. */
export function AdminInvoiceDetails({ invoice }: { invoice: AdminInvoice }) {
  const { paymentNote, noteMatch, expectedNote, submittedAt } = invoice
  const waits = submittedAt !== null && (invoice.status === 'pending' || invoice.status === 'expired')
  return (
    <dl className="details">
      <Detail label="Customer">
        {invoice.username} <span className="block text-fg-2">{invoice.email}</span>
      </Detail>
      <Detail label="Plan">
        {invoice.planName}
        {invoice.kind === 'plan_change' && <span className="text-fg-2"> (plan change)</span>}
      </Detail>
      <Detail label="Expected amount">
        <Money cents={invoice.amount} className="font-semibold" />
      </Detail>
      <Detail label="Payment method">
        {invoice.paymentMethod ? methodNames[invoice.paymentMethod] : 'Not chosen yet'}
      </Detail>
      <Detail label="Confirmation code">{invoice.confirmationCode || '-'}</Detail>
      <Detail label="Payment note">
        {paymentNote || '-'}
        {noteMatch && (
          <span
            className={
              noteMatch === 'different'
                ? 'flex items-start gap-1.5 text-bad text-sm'
                : 'flex items-start gap-1.5 text-ok text-sm'
            }
          >
            {noteMatch === 'different' ? (
              <CircleAlert size={16} className="mt-0.5 flex-none" />
            ) : (
              <CircleCheck size={16} className="mt-0.5 flex-none" />
            )}
            {noteMatchLabels[noteMatch]}
          </span>
        )}
        {noteMatch !== 'same' && invoice.paymentMethod !== 'creditcard' && (
          <span className="block text-fg-2 text-sm">Expected: {expectedNote}</span>
        )}
      </Detail>
      <Detail label="Created">
        <DateText value={invoice.createdAt} look="minute" />
      </Detail>
      <Detail label="Submitted">
        <DateText value={submittedAt} look="minute" fallback="Not yet" />
        {waits && (
          <span className="block text-fg-2 text-sm">
            Waiting for {formatDistanceToNow(new Date(submittedAt))}, due within {hoursText(invoice.promisedHours)}{' '}
            {invoice.overdue && <Badge variant="destructive">Overdue</Badge>}
          </span>
        )}
      </Detail>
    </dl>
  )
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
