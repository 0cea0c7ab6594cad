import type { ReactNode } from 'react'
import { Money } from '#web/ui/money.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { InvoiceEvidence } from '../../admin-contract.ts'

interface Props {
  title: string
  summary?: ReactNode
  invoices: InvoiceEvidence['open']
  /** Whether to show the username, for invoices of other customers. */
  named?: boolean
}

/** A list of other invoices, each a link that opens in a new tab. */
export function AdminRelatedInvoices({ title, summary, invoices, named }: Props) {
  return (
    <section>
      <h3 className="text-base">{title}</h3>
      {summary && <p className="text-15 text-fg-2">{summary}</p>}
      {invoices.length > 0 && (
        <ul className="mt-1 grid gap-1 text-15">
          {invoices.map((invoice) => (
            <li key={invoice.id} className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
              <a href={`/invoice/${invoice.invoiceNumber}`} target="_blank" rel="noopener" className="link num">
                {invoice.invoiceNumber}
                <span className="sr-only"> in a new tab</span>
              </a>
              {named && <span>{invoice.username}</span>}
              <Money cents={invoice.amount} />
              <span className="text-fg-2">
                {invoice.planName}, <DateText value={invoice.paidAt ?? invoice.createdAt} />
              </span>
              {invoice.status !== 'paid' || named ? <StatusBadge status={invoice.status} /> : null}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
