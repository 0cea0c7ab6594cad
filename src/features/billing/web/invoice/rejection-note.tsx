import { Note } from '#web/ui/note.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { Invoice } from '../../contract.ts'
import { openRejectionReason } from '../../rules.ts'

/** Why a payment was rejected, shown until the customer submits it again. Renders nothing for any other invoice. */
export function RejectionNote({ invoice, className }: { invoice: Invoice | undefined; className?: string }) {
  const reason = invoice && openRejectionReason(invoice)
  if (!reason) return null
  return (
    <Note tone="bad" role="status" className={className}>
      <p className="font-semibold">
        We could not confirm your payment
        {invoice.rejectedAt && (
          <>
            {' (checked '}
            <DateText value={invoice.rejectedAt} />)
          </>
        )}
      </p>
      <p className="wrap-anywhere whitespace-pre-line">{reason}</p>
      <p className="mt-1">Please check your payment and submit its details again.</p>
    </Note>
  )
}
