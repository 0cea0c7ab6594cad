import { Check } from 'lucide-react'
import { formatCents } from '#kit/money.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { PaymentPreview } from '../admin-contract.ts'
import { railNames } from '../rules.ts'
import { payerOf } from './decisions.ts'
import type { ExactPayment } from './use-confirm-exact.ts'

interface Props {
  payment: ExactPayment
  preview: PaymentPreview | undefined
  /** Why the payment is not confirmed; undefined if it can be. */
  reason: string | undefined
  isIncluded: boolean
  isDone: boolean
  /** Whether the confirmation has begun, so that the selection can no longer be changed. */
  isFixed: boolean
  onInclude: (isIncluded: boolean) => void
}

/** A payment in the preview of a bulk confirmation. */
export function ConfirmExactRow({ payment, preview, reason, isIncluded, isDone, isFixed, onInclude }: Props) {
  const payer = payerOf(payment)
  return (
    <li>
      {isDone ? (
        <Check size={18} aria-label="Confirmed" />
      ) : (
        <Checkbox
          aria-label={`Confirm ${formatCents(payment.openCents)} from ${payer}`}
          checked={isIncluded && reason === undefined}
          disabled={isFixed || reason !== undefined}
          onChange={({ target }) => onInclude(target.checked)}
        />
      )}
      <span className={`rail rail-${payment.rail}`} aria-hidden="true">
        {railNames[payment.rail].charAt(0)}
      </span>
      <span className="exact-payer">
        <b>{payer}</b>
        <small>
          {payment.invoiceNumber}, {payment.customer}
        </small>
      </span>
      <span className="exact-effect">{reason ?? <Effect preview={preview} />}</span>
      <b className="num">{formatCents(payment.openCents)}</b>
    </li>
  )
}

function Effect({ preview }: { preview: PaymentPreview | undefined }) {
  if (!preview) return 'Loading…'
  const [invoice] = preview.invoices
  if (!invoice?.endsAfter) return 'Paid in full'
  return (
    <>
      {invoice.endsBefore ? 'Ends' : 'New, ends'} <DateText value={invoice.endsAfter} />
    </>
  )
}
