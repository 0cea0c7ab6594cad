import { format } from 'date-fns'
import { useState } from 'react'
import { formatCents } from '#kit/money.ts'
import { parseDollars } from '#kit/typed-money.ts'
import { useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { listPayments, type PaymentRow } from '../admin-contract.ts'
import { recordPayment } from '../admin-record-contract.ts'
import { railNames, rails } from '../rules.ts'
import { payerOf } from './decisions.ts'
import { recordPaymentForm } from './record-payment-form.ts'

interface Props {
  returnTo: () => HTMLElement | null
  onRecorded: (row: PaymentRow) => void
}

const formId = 'record-payment'

/** A dialog to record a payment by hand. Open on first render; give it a new key for each opening. */
export function RecordPaymentDialog({ returnTo, onRecorded }: Props) {
  const [open, setOpen] = useState(true)
  // The key stays the same while the dialog is open, so that a repeated submit records the payment only once.
  const [requestKey] = useState(() => crypto.randomUUID())
  const send = useSend(recordPayment, [listPayments])
  const form = useSchemaForm({
    schema: recordPaymentForm,
    id: formId,
    fields: ['rail', 'dollars', 'payerName', 'payerHandle', 'note', 'paidAt', 'providerReference'],
    defaultValues: {
      rail: 'cashapp',
      dollars: '',
      payerName: '',
      payerHandle: '',
      note: '',
      paidAt: format(new Date(), "yyyy-MM-dd'T'HH:mm"),
      providerReference: '',
    },
    onFailure: (message) => toast({ title: 'Not recorded', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async ({ dollars, paidAt, ...values }) => {
    const row = await send.mutateAsync({
      body: { ...values, requestKey, amount: parseDollars(dollars)!, paidAt: new Date(paidAt).toISOString() },
    })
    setOpen(false)
    toast({ title: 'Payment recorded', description: `${formatCents(row.amount)} from ${payerOf(row)}.` })
    onRecorded(row)
  })
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={formId}
      action="Record Payment"
      pending={form.pending}
      dirty={form.isDirty}
      unsavedChanges="The payment is not recorded yet."
      title="Record Payment"
      description="Enter the payment as the app or bank shows it. It is compared with the open invoices."
      returnTo={returnTo}
      error={form.failure && form.problems.length === 0 ? { message: form.failure } : undefined}
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Paid with" {...form.field('rail')}>
            <NativeSelect {...form.register('rail')}>
              {rails.map((rail) => (
                <option key={rail} value={rail}>
                  {railNames[rail]}
                </option>
              ))}
            </NativeSelect>
          </Field>
          <Field label="Amount in dollars" {...form.field('dollars')}>
            <Input {...form.register('dollars')} inputMode="decimal" autoComplete="off" placeholder="0.00" required />
          </Field>
          <Field label="Payer's name" optional {...form.field('payerName')}>
            <Input {...form.register('payerName')} autoComplete="off" />
          </Field>
          <Field label="Payer's handle" optional {...form.field('payerHandle')}>
            <Input {...form.register('payerHandle')} autoComplete="off" placeholder="$name" />
          </Field>
        </div>
        <Field label="Note" optional hint="Exactly as the payer wrote it." {...form.field('note')}>
          <Input {...form.register('note')} autoComplete="off" />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Paid on" {...form.field('paidAt')}>
            <Input {...form.register('paidAt')} type="datetime-local" required />
          </Field>
          <Field label="Transaction number" optional {...form.field('providerReference')}>
            <Input {...form.register('providerReference')} autoComplete="off" />
          </Field>
        </div>
      </form>
    </FormDialog>
  )
}
