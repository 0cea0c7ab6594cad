import { formatCents } from '#kit/money.ts'
import { Badge } from '#web/ui/badge.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { EarlierInvoice } from '../contract.ts'
import { earlierStatusNames } from '../invoice-rules.ts'

/** A list of invoices from the previous system. */
export function EarlierInvoiceList({ invoices, labelledBy }: { invoices: EarlierInvoice[]; labelledBy: string }) {
  return (
    <ul aria-labelledby={labelledBy}>
      {invoices.map(({ id, number, issuedOn, description, amount, status }) => (
        <li
          key={id}
          className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-line border-b py-3 last:border-b-0"
        >
          <span className="min-w-0 flex-1 basis-48 wrap-anywhere">
            <b className="num block">{number}</b>
            {description && <span className="block text-15">{description}</span>}
            <span className="block text-sm text-fg-2">
              <DateText value={issuedOn} />
            </span>
          </span>
          <span className="grid content-start justify-items-end gap-1">
            <b className="num">{formatCents(amount)}</b>
            <Badge variant={status === 'paid' ? 'default' : 'neutral'}>{earlierStatusNames[status]}</Badge>
          </span>
        </li>
      ))}
    </ul>
  )
}
