import { useState } from 'react'
import { getOwnSubscription } from '#features/subscriptions/contract.ts'
import { useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { listRefunds, type Refund, refundForm, requestRefund } from '../../contract.ts'

const formId = 'refund'

interface Props {
  refund: Refund
  /** Takes the focus when the dialog closes. */
  returnTo: () => HTMLElement | null
}

/** Requests a refund with a reason. Open on first render; give it a new key for each opening. */
export function RefundDialog({ refund: { invoiceNumber }, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const { mutateAsync } = useSend(requestRefund, [listRefunds, getOwnSubscription])
  const form = useSchemaForm({
    schema: refundForm,
    id: formId,
    fields: ['reason'],
    defaultValues: { reason: '' },
    onFailure: (message) => toast({ title: 'Request not sent', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async ({ reason }) => {
    await mutateAsync({ body: { invoiceNumber, reason } })
    setOpen(false)
    toast({
      title: 'Refund requested',
      description: 'An administrator will review your request. We will email you the decision.',
    })
  })
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={formId}
      action="Request Refund"
      pending={form.pending}
      title="Request a Refund"
      description={`Invoice ${invoiceNumber}`}
      keepOnOutsidePress
      returnTo={returnTo}
      error={form.failure ? { message: form.failure } : undefined}
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-4">
        <p>
          An administrator reviews your request. If the refund is approved, the subscription time this payment paid for
          ends. You can request a refund once per invoice.
        </p>
        <Field label="Why do you want your money back?" {...form.field('reason')} hint="It helps us improve.">
          <Textarea rows={4} maxLength={1000} required {...form.register('reason')} />
        </Field>
      </form>
    </FormDialog>
  )
}
