import { formatDistanceToNow } from 'date-fns'
import type { ReactNode } from 'react'
import { DateText } from '#web/ui/date-text.tsx'
import { Money } from '#web/ui/money.tsx'
import type { AdminInvoice } from '../contract.ts'
import { methodNames } from '../rules.ts'

/** What an administrator compares with the payment app. Nothing here can be changed. */
export function AdminInvoiceDetails({ invoice }: { invoice: AdminInvoice }) {
  return (
    <dl className="details">
      <Line label="Customer">
        {invoice.username} <span className="block text-fg-2">{invoice.email}</span>
      </Line>
      <Line label="Plan">
        {invoice.planName}
        {invoice.kind === 'plan_change' && <span className="text-fg-2"> (plan change)</span>}
      </Line>
      <Line label="Expected amount">
        <Money cents={invoice.amount} className="font-semibold" />
      </Line>
      <Line label="Payment method">{invoice.paymentMethod ? methodNames[invoice.paymentMethod] : 'Not chosen yet'}</Line>
      <Line label="Confirmation code">{invoice.confirmationCode || '-'}</Line>
      <Line label="Payment note">{invoice.paymentNote || '-'}</Line>
      <Line label="Created">
        <DateText value={invoice.createdAt} />
      </Line>
      <Line label="Submitted">
        <DateText value={invoice.submittedAt} fallback="Not yet" />
        {invoice.submittedAt && invoice.status === 'pending' && (
          <span className="block text-fg-2">waiting for {formatDistanceToNow(new Date(invoice.submittedAt))}</span>
        )}
      </Line>
    </dl>
  )
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
