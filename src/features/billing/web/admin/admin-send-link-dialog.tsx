import { useState } from 'react'
import { formatCents } from '#kit/money.ts'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import type { RowDialogProps } from '#web/ui/table/row-dialogs.tsx'
import type { AdminInvoice } from '../../admin-contract.ts'
import { AdminPaymentLinkForm } from './admin-payment-link-form.tsx'

/** Sends the secure payment link of a card invoice. */
export function AdminSendLinkDialog({ opened, current, returnTo }: RowDialogProps<AdminInvoice>) {
  const [open, setOpen] = useState(true)
  const [isTyped, setTyped] = useState(false)
  const isOutdated = open && current !== undefined && current.version > opened.version
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Send Payment Link"
      description={`Invoice ${opened.invoiceNumber} of ${opened.username}: ${opened.planName}, ${formatCents(opened.amount)}`}
      size="form"
      keepOnOutsidePress={isTyped}
      returnTo={returnTo}
    >
      {isOutdated && (
        <Note tone="warn">This invoice has changed since you opened it. Please close and open it again.</Note>
      )}
      <AdminPaymentLinkForm invoice={opened} onTyped={() => setTyped(true)} onSaved={() => setOpen(false)} />
    </Dialog>
  )
}
