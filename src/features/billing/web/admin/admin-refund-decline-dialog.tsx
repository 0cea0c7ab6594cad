import type { RefObject } from 'react'
import { useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { type AdminInvoice, getInvoiceEvidence, listAllInvoices, rejectionForm } from '../../admin-contract.ts'
import { decideRefund, getInvoiceRefund } from '../../admin-refund-contract.ts'

const formId = 'refund-refusal'

interface Props {
  invoice: AdminInvoice
  /** The message if another administrator decided while the dialog was open. */
  overtaken: string | undefined
  onClose: () => void
  onDecided: () => void
  returnTo: RefObject<HTMLElement | null>
}

/** Declines a refund with a reason for the customer. */
export function AdminRefundDeclineDialog({ invoice, overtaken, onClose, onDecided, returnTo }: Props) {
  const { mutateAsync } = useSend(decideRefund, [listAllInvoices, getInvoiceEvidence, getInvoiceRefund])
  const form = useSchemaForm({
    schema: rejectionForm,
    id: formId,
    fields: ['reason'],
    defaultValues: { reason: '' },
    onFailure: (message) => toast({ title: 'Update Failed', description: message, variant: 'destructive' }),
  })
  const send = form.onSubmit(async ({ reason }) => {
    await mutateAsync({ params: { invoiceId: invoice.id }, body: { status: 'declined', reason } })
    toast({ title: 'Refund declined', description: `${invoice.username} is notified of the reason by email.` })
    onDecided()
  })
  const message = form.pending ? undefined : (overtaken ?? form.failure)
  return (
    <FormDialog
      open
      onClose={onClose}
      formId={formId}
      action="Decline Refund"
      destructive
      disabled={Boolean(overtaken)}
      pending={form.pending}
      title="Decline Refund"
      description={`Invoice ${invoice.invoiceNumber} of ${invoice.username}`}
      keepOnOutsidePress
      returnTo={returnTo}
      error={message ? { message } : undefined}
    >
      <form id={formId} noValidate onSubmit={send} className="grid gap-4">
        <p>The payment does not change, and {invoice.username} cannot request a refund of this invoice again.</p>
        <Field label="Reason for the customer" {...form.field('reason')}>
          <Textarea rows={4} maxLength={500} required {...form.register('reason')} />
        </Field>
      </form>
    </FormDialog>
  )
}
