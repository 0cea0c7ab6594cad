import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Money } from '#web/ui/money.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { AdminInvoice } from '../../admin-contract.ts'
import { getInvoiceRefund } from '../../admin-refund-contract.ts'
import { AdminRefundApproveDialog } from './admin-refund-approve-dialog.tsx'
import { AdminRefundDeclineDialog } from './admin-refund-decline-dialog.tsx'

/** The refund request of an invoice: its reason, the decision, and the approve and decline buttons while it is open. */
export function AdminRefundSection({ invoice, onDecided }: { invoice: AdminInvoice; onDecided: () => void }) {
  const found = useQuery({
    ...query(getInvoiceRefund, { params: { invoiceId: invoice.id } }),
    refetchOnMount: 'always',
  })
  const [deciding, setDeciding] = useState<'approve' | 'decline'>()
  const approveButton = useRef<HTMLButtonElement>(null)
  const declineButton = useRef<HTMLButtonElement>(null)
  const { data: refund, error } = found
  if (error && !refund)
    return <FormError message={messageOf(error)} onReload={async () => void (await found.refetch())} />
  if (!refund) return <p className="text-fg-2">Loading the refund request…</p>
  const { request, decidedBy, creditNote, earlierRefunds } = refund
  const close = () => setDeciding(undefined)
  const overtaken =
    request.status === 'pending'
      ? undefined
      : `${decidedBy ?? 'Another administrator'} decided first: this refund is already ${request.status}. Nothing was changed.`
  const dialog = { invoice, overtaken, onClose: close, onDecided }
  return (
    <section aria-labelledby="refund-request" className="mb-5 grid gap-2 rounded-md border p-4 text-15">
      <h3 id="refund-request" className="flex flex-wrap items-center gap-3 text-base">
        Refund request <StatusBadge status={request.status === 'declined' ? 'denied' : request.status} />
      </h3>
      <p className="wrap-anywhere whitespace-pre-line">“{request.reason}”</p>
      <p className="text-fg-2">
        Requested by {invoice.username} <DateText value={request.createdAt} look="minute" />
        {earlierRefunds > 0 && (
          <b className="text-bad">
            {' '}
            · {earlierRefunds} {earlierRefunds === 1 ? 'earlier refund' : 'earlier refunds'}
          </b>
        )}
      </p>
      {request.decidedAt && (
        <p>
          Decided by {decidedBy ?? 'an administrator'}{' '}
          <DateText value={request.decidedAt} look="minute" className="text-fg-2" />
          {request.decisionReason && <span className="wrap-anywhere block text-fg-2">“{request.decisionReason}”</span>}
        </p>
      )}
      {creditNote && (
        <p className="wrap-anywhere">
          <Link
            to="/credit-note/$creditNoteNumber"
            params={{ creditNoteNumber: creditNote.number }}
            preload={false}
            className="link num"
          >
            {creditNote.number}
          </Link>
          : <Money cents={creditNote.amount} /> paid back
          {creditNote.paymentReference && ` (${creditNote.paymentReference})`}
          {creditNote.creditReturned > 0 && (
            <>
              , <Money cents={creditNote.creditReturned} /> as account credit
            </>
          )}
        </p>
      )}
      {request.status === 'pending' && (
        <div className="mt-1 flex flex-wrap gap-2.5">
          <Button ref={approveButton} variant="ink" size="sm" onClick={() => setDeciding('approve')}>
            Approve Refund
          </Button>
          <Button ref={declineButton} variant="line" size="sm" onClick={() => setDeciding('decline')}>
            Decline Refund
          </Button>
        </div>
      )}
      {deciding === 'approve' && (
        <AdminRefundApproveDialog {...dialog} outcome={refund.outcome ?? undefined} returnTo={approveButton} />
      )}
      {deciding === 'decline' && <AdminRefundDeclineDialog {...dialog} returnTo={declineButton} />}
    </section>
  )
}
