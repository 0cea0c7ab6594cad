import { useState } from 'react'
import { useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { getPayment, listPayments, type PaymentDetail } from '../admin-contract.ts'
import { markRefundSent, refundSentForm } from '../admin-record-contract.ts'
import { moneyText } from '../rules.ts'

interface Props {
  payment: PaymentDetail
  returnTo: () => HTMLElement | null
}

const formId = 'refund-sent'

/** A dialog to record the transaction number of a refund that was sent. Open on first render; give it a new key for each opening. */
export function RefundSentDialog({ payment, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const send = useSend(markRefundSent, [listPayments, getPayment])
  const due = payment.allocations.filter(({ target }) => target === 'refund_due')
  const cents = due.reduce((sum, each) => sum + each.amount, 0)
  const amount = moneyText(cents, payment.currency)
  const form = useSchemaForm({
    schema: refundSentForm,
    id: formId,
    fields: ['reference'],
    defaultValues: { reference: '' },
    onFailure: (message) => toast({ title: 'Nothing was changed', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async ({ reference }) => {
    await send.mutateAsync({ params: { paymentId: payment.id }, body: { reference, version: payment.version } })
    setOpen(false)
    toast({ title: 'Refund recorded', description: `${amount} was sent back.` })
  })
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={formId}
      action="Mark as Sent"
      pending={form.pending}
      title={`Refund of ${amount}`}
      description={`Send it to ${due[0]?.refundReference ?? 'the payer'} first. This cannot be undone.`}
      returnTo={returnTo}
      error={form.failure && form.problems.length === 0 ? { message: form.failure } : undefined}
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field label="Transaction number" {...form.field('reference')}>
          <Input {...form.register('reference')} autoComplete="off" required />
        </Field>
      </form>
    </FormDialog>
  )
}
