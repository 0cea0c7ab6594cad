import type { RefObject } from 'react'
import { useId } from 'react'
import { useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import {
  type AdminInvoice,
  getInvoiceEvidence,
  listAllInvoices,
  rejectionForm,
  rejectPayment,
} from '../../admin-contract.ts'

interface Props {
  invoice: AdminInvoice
  /** Keeps the typed reason after the dialog is closed, so that it is there when the dialog is opened again. */
  draft: { current: string }
  onClose: () => void
  onRejected: () => void
  returnTo: RefObject<HTMLElement | null>
}

/** Rejects a payment with a reason for the customer. */
export function AdminInvoiceRejectDialog({ invoice, draft, onClose, onRejected, returnTo }: Props) {
  const formId = useId()
  const { mutateAsync } = useSend(rejectPayment, [listAllInvoices, getInvoiceEvidence])
  const form = useSchemaForm({
    schema: rejectionForm,
    id: formId,
    fields: ['reason'],
    defaultValues: { reason: draft.current },
    onFailure: (message) => toast({ title: 'Update Failed', description: message, variant: 'destructive' }),
  })
  const send = form.onSubmit(async ({ reason }) => {
    const now = await mutateAsync({ params: { invoiceId: invoice.id }, body: { reason, version: invoice.version } })
    toast({
      title: 'Payment rejected',
      description: `${now.username} is notified of the reason and can submit ${now.invoiceNumber} again.`,
    })
    onRejected()
  })

  const close = () => {
    draft.current = form.watch('reason') ?? ''
    onClose()
  }

  return (
    <FormDialog
      open
      onClose={close}
      formId={formId}
      action="Reject Payment"
      cancel="Keep Waiting"
      destructive
      pending={form.pending}
      title="Reject Payment"
      description={`Invoice ${invoice.invoiceNumber} of ${invoice.username}`}
      keepOnOutsidePress
      returnTo={returnTo}
      error={form.failure ? { message: form.failure } : undefined}
    >
      <form id={formId} noValidate onSubmit={send} className="grid gap-4">
        <p>
          The invoice stays open. {invoice.username} sees the reason on the invoice and at checkout, gets it by email,
          and can submit the payment details again.
        </p>
        <Field
          label="Reason for the customer"
          {...form.field('reason')}
          hint="What you could not find, and what the customer should do next."
        >
          <Textarea rows={4} maxLength={500} {...form.register('reason')} />
        </Field>
      </form>
    </FormDialog>
  )
}
