import { actionText } from '#features/audit/rules.ts'
import { Money } from '#web/ui/money.tsx'
import { Note } from '#web/ui/note.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { InvoiceEvidence } from '../../admin-contract.ts'
import { AdminRelatedInvoices } from './admin-related-invoices.tsx'

/** Evidence for reviewing a payment: invoices with the same code, the customer's other invoices, and earlier decisions. */
export function AdminInvoiceEvidence({ evidence }: { evidence: InvoiceEvidence }) {
  const { lines, sameCode, similarCode, payments, open, history, ownInvoice, ownReferral } = evidence
  return (
    <div className="mt-5 grid gap-5">
      {ownInvoice && <Note tone="warn">This is your own invoice. The audit log records that.</Note>}
      {ownReferral && (
        <Note tone="warn">You referred this customer and earn the bonus. The audit log records that.</Note>
      )}
      {lines.length > 1 && (
        <section>
          <h3 className="text-base">Amount breakdown</h3>
          <ul className="mt-1 grid gap-1 text-15">
            {lines.map(({ description, amount }) => (
              <li key={`${description} ${amount}`} className="flex justify-between gap-4">
                {description} <Money cents={amount} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {sameCode.length > 0 && <AdminRelatedInvoices title="Same confirmation code" invoices={sameCode} named />}
      {similarCode.length > 0 && (
        <AdminRelatedInvoices
          title="Similar confirmation code"
          summary="It differs by one character."
          invoices={similarCode}
          named
        />
      )}
      <AdminRelatedInvoices
        title="Earlier payments"
        summary={
          payments.count === 0 ? (
            'None. This would be the first.'
          ) : (
            <>
              {payments.count} {payments.count === 1 ? 'payment' : 'payments'}, <Money cents={payments.total} /> in
              total
            </>
          )
        }
        invoices={payments.latest}
      />
      {open.length > 0 && <AdminRelatedInvoices title="Also open" invoices={open} />}
      {history.length > 0 && (
        <section>
          <h3 className="text-base">History</h3>
          <ul className="mt-1 grid gap-1 text-15">
            {history.map(({ at, by, action, reason }) => (
              <li key={`${at} ${action}`}>
                {actionText(action)} by {by ?? 'the system'} <DateText value={at} look="minute" className="text-fg-2" />
                {reason && <span className="wrap-anywhere block text-fg-2">“{reason}”</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
