import { CircleAlert, CircleCheck } from 'lucide-react'
import { Badge } from '#web/ui/badge.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Money } from '#web/ui/money.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { AdminInvoice } from '../../admin-contract.ts'
import { methodNames, type ReviewFlag, reviewFlagLabel } from '../../rules.ts'

interface Props {
  invoice: AdminInvoice
  flags: ReviewFlag[]
  included: boolean
  onInclude: (included: boolean) => void
  /** The server's result for this payment. */
  result: { done: boolean; message: string | null } | undefined
  /** The state of a payment that has no result: selectable, not selected, queued, or interrupted before the server responded. */
  step: 'choose' | 'left-out' | 'waiting' | 'unanswered'
}

const stepLabels = {
  'left-out': 'Skipped',
  waiting: 'Waiting',
  unanswered: 'No response. Reload to see whether it was confirmed.',
}

/** One payment of a bulk confirmation with its review flags. */
export function AdminConfirmRow({ invoice, flags, included, onInclude, result, step }: Props) {
  const { invoiceNumber, username, amount, status, paymentMethod, paymentNote, confirmationCode } = invoice
  const isOpen = status === 'pending'
  const isChosen = step === 'choose'
  return (
    <li className="grid gap-2 border-b py-3 last:border-b-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="min-w-0">
          <b className="num">{invoiceNumber}</b> <span className="wrap-anywhere">{username}</span>
        </p>
        <Money cents={amount} className="font-semibold" />
      </div>
      <p className="wrap-anywhere text-fg-2 text-sm">
        {[invoice.planName, paymentMethod && methodNames[paymentMethod], confirmationCode, paymentNote]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {(flags.length > 0 || invoice.overdue || !isOpen) && (
        <p className="flex flex-wrap gap-1.5">
          {!isOpen && isChosen && <StatusBadge status={status} />}
          {flags.map((flag) => (
            <Badge key={flag} variant="destructive">
              {reviewFlagLabel(flag, invoice)}
            </Badge>
          ))}
          {invoice.overdue && <Badge variant="outline">Overdue</Badge>}
        </p>
      )}
      {result ? (
        <p
          className={result.done ? 'flex items-start gap-2 text-15 text-ok' : 'flex items-start gap-2 text-15 text-bad'}
        >
          {result.done ? (
            <CircleCheck size={18} className="mt-0.5 flex-none" />
          ) : (
            <CircleAlert size={18} className="mt-0.5 flex-none" />
          )}
          {result.done ? 'Confirmed' : `Not confirmed: ${result.message}`}
        </p>
      ) : !isChosen ? (
        <p className="text-15 text-fg-2">{stepLabels[step]}</p>
      ) : isOpen ? (
        <Checkbox
          checked={included}
          onChange={({ target }) => onInclude(target.checked)}
          label={
            <>
              {flags.length > 0 ? 'I have checked this payment. Confirm it too.' : 'Confirm'}
              <span className="sr-only"> {invoiceNumber}</span>
            </>
          }
        />
      ) : (
        <p className="text-15 text-fg-2">Skipped because this invoice is not pending.</p>
      )}
    </li>
  )
}
