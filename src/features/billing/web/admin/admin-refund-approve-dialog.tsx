import type { RefObject } from 'react'
import { formatCents } from '#kit/money.ts'
import { useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { type AdminInvoice, type DecisionOutcome, getInvoiceEvidence, listAllInvoices } from '../../admin-contract.ts'
import { decideRefund, getInvoiceRefund, refundApprovalForm } from '../../admin-refund-contract.ts'
import { methodNames } from '../../rules.ts'
import { AdminInvoiceOutcome } from './admin-invoice-outcome.tsx'

const formId = 'refund-approval'

interface Props {
  invoice: AdminInvoice
  /** Undefined while it is loading. */
  outcome: DecisionOutcome | undefined
  /** The message if another administrator decided while the dialog was open. */
  overtaken: string | undefined
  onClose: () => void
  onDecided: () => void
  returnTo: RefObject<HTMLElement | null>
}

/** Approves a refund: shows the amount that the administrator has to pay back manually and the effect of the approval, and asks for the payment reference. */
export function AdminRefundApproveDialog({ invoice, outcome, overtaken, onClose, onDecided, returnTo }: Props) {
  const { amount, username, paymentMethod } = invoice
  const isPaid = amount > 0
  const { mutateAsync } = useSend(decideRefund, [listAllInvoices, getInvoiceEvidence, getInvoiceRefund])
  const form = useSchemaForm({
    schema: refundApprovalForm(isPaid),
    id: formId,
    fields: ['paymentReference', 'reason'],
    defaultValues: { paymentReference: '', reason: '' },
    onFailure: (message) => toast({ title: 'Update Failed', description: message, variant: 'destructive' }),
  })
  const send = form.onSubmit(async (values) => {
    const { creditNote } = await mutateAsync({
      params: { invoiceId: invoice.id },
      body: { status: 'approved', ...values, expectedAmount: amount },
    })
    toast({
      title: 'Refund approved',
      description: `Credit note ${creditNote?.number} was issued. ${username} is notified by email.`,
    })
    onDecided()
  })
  const message = form.pending ? undefined : (overtaken ?? form.failure)
  return (
    <FormDialog
      open
      onClose={onClose}
      formId={formId}
      action="Approve Refund"
      destructive
      disabled={outcome?.refusal !== null || Boolean(overtaken)}
      pending={form.pending}
      title="Approve Refund"
      description={`Invoice ${invoice.invoiceNumber} of ${username}`}
      keepOnOutsidePress
      returnTo={returnTo}
      error={message ? { message } : undefined}
    >
      <form id={formId} noValidate onSubmit={send} className="grid gap-4">
        {isPaid ? (
          <Note tone="warn">
            <b>
              Pay {formatCents(amount)} back manually
              {paymentMethod && ` by ${methodNames[paymentMethod]}`}.
            </b>{' '}
            This page does not send money. Check below that the refund is possible, pay it back, then enter the
            reference of that payment.
          </Note>
        ) : (
          <Note>Only account credit was used, so there is no money to send back.</Note>
        )}
        <section aria-labelledby={`${formId}-outcome`} className="rounded-md border p-4 text-15">
          <h3 id={`${formId}-outcome`} className="mb-1.5 text-base">
            What this does
          </h3>
          {overtaken ? (
            <p>Nothing: this request is already decided.</p>
          ) : (
            <AdminInvoiceOutcome invoice={invoice} outcome={outcome} />
          )}
        </section>
        {isPaid && (
          <Field label="Refund payment reference" {...form.field('paymentReference')} hint="Shown on the credit note.">
            <Input maxLength={120} autoComplete="off" required {...form.register('paymentReference')} />
          </Field>
        )}
        <Field label="Note for the customer (optional)" {...form.field('reason')}>
          <Textarea rows={2} maxLength={500} {...form.register('reason')} />
        </Field>
      </form>
    </FormDialog>
  )
}
