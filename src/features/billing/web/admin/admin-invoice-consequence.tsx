import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import type { AdminInvoice, DecisionOutcome } from '../../admin-contract.ts'
import type { InvoiceStatus } from '../../contract.ts'
import { AdminInvoiceOutcome } from './admin-invoice-outcome.tsx'

/** Whether a status change takes something away from the customer and therefore needs confirmation. */
export const needsConfirmation = (invoice: AdminInvoice, status: InvoiceStatus): boolean =>
  status !== invoice.status && (invoice.status === 'paid' || status === 'cancelled')

interface Props {
  invoice: AdminInvoice
  status: InvoiceStatus
  outcome: DecisionOutcome | undefined
  open: boolean
  onOpenChange: (open: boolean) => void
  onConfirm: () => void
}

/** Confirmation dialog that names the customer and shows what the status change reverses. */
export function AdminInvoiceConsequence({ invoice, status, outcome, open, onOpenChange, onConfirm }: Props) {
  const { username, invoiceNumber } = invoice
  const undoes = invoice.status === 'paid'
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={undoes ? `Reverse ${username}'s payment?` : `Cancel ${username}'s invoice?`}
      description={
        undoes
          ? `Invoice ${invoiceNumber} becomes ${status}, and everything its payment did is reversed:`
          : `${username} can no longer pay invoice ${invoiceNumber} and is notified by email.`
      }
      action={undoes ? 'Reverse payment' : 'Cancel invoice'}
      cancel="Keep as it is"
      onConfirm={onConfirm}
    >
      {undoes && <AdminInvoiceOutcome invoice={invoice} outcome={outcome} />}
    </ConfirmDialog>
  )
}
