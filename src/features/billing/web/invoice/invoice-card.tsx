import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Money } from '#web/ui/money.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { Invoice } from '../../contract.ts'
import { defaultDescription, defaultPlanName } from '../../rules.ts'
import { PayLink } from '../checkout/pay-link.tsx'

/** One invoice in the list. */
export function InvoiceCard({ invoice }: { invoice: Invoice }) {
  const { invoiceNumber, status, createdAt, paidAt, expiresAt, planName, description, amount } = invoice
  const isDue = (status === 'draft' || status === 'pending') && !invoice.submittedAt
  return (
    <li className="card">
      <div className="card-head">
        <h2 className="card-title num text-lg">{invoiceNumber}</h2>
        <StatusBadge status={status} />
      </div>
      <div className="card-body flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
          <p className="font-semibold">{planName || defaultPlanName}</p>
          <p className="text-15 text-fg-2">{description || defaultDescription}</p>
          <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-2 text-sm [&_dt]:text-fg-2">
            <div>
              <dt>Created</dt>
              <dd className="font-semibold">
                <DateText value={createdAt} />
              </dd>
            </div>
            {paidAt && (
              <div>
                <dt>Paid</dt>
                <dd className="font-semibold">
                  <DateText value={paidAt} />
                </dd>
              </div>
            )}
            {isDue && (
              <div>
                <dt>Pay by</dt>
                <dd className="font-semibold">
                  <DateText value={expiresAt} />
                </dd>
              </div>
            )}
          </dl>
        </div>
        <div className="grid gap-3 max-sm:w-full sm:justify-items-end">
          <Money cents={amount} className="display text-2xl" />
          <div className="flex flex-wrap gap-2.5 max-sm:grid max-sm:gap-2">
            <ButtonLink to="/invoice/$invoiceNumber" params={{ invoiceNumber }} variant="line">
              View Invoice<span className="sr-only"> {invoiceNumber}</span>
            </ButtonLink>
            <PayLink invoice={invoice} />
          </div>
        </div>
      </div>
    </li>
  )
}
