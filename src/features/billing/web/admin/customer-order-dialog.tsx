import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminUser } from '#features/accounts/admin-contract.ts'
import { listPlans } from '#features/catalog/contract.ts'
import { getCustomer } from '#features/customers/admin-contract.ts'
import { ApiError } from '#kit/caller.ts'
import { formatCents } from '#kit/money.ts'
import { query, useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { RadioCards } from '#web/ui/form/radio-cards.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import {
  createCustomerOrder,
  customerOrderForm,
  previewCustomerOrder,
  quoteCustomerOrder,
} from '../../admin-order-contract.ts'
import { paymentMethod } from '../../contract.ts'
import { methodNames } from '../../rules.ts'
import { PlanOptions } from '../plan-options.tsx'
import { CustomerOrderEffect } from './customer-order-effect.tsx'
import { CustomerOrderQuote } from './customer-order-quote.tsx'

interface Props {
  user: Pick<AdminUser, 'id' | 'username' | 'email'>
  returnTo: () => HTMLElement | null
}

const formId = 'customer-order'

/** Creates an order for a customer. Open on first render; give it a new key for each opening. */
export function CustomerOrderDialog({ user, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const plans = useQuery(query(listPlans)).data ?? []
  const send = useSend(createCustomerOrder, [getCustomer])
  const form = useSchemaForm({
    schema: customerOrderForm,
    id: formId,
    fields: ['planId', 'payment', 'paymentMethod', 'confirmationCode', 'acknowledgeDuplicate'],
    defaultValues: {
      ...{ planId: 0, payment: 'link', paymentMethod: 'cashapp', confirmationCode: '' },
      acknowledgeDuplicate: false,
    },
    onFailure: (message) => toast({ title: 'Order not created', description: message, variant: 'destructive' }),
  })
  const [planId, isReceived] = [form.watch('planId'), form.watch('payment') === 'received']
  const quote = useQuery({
    ...query(quoteCustomerOrder, { params: { userId: user.id }, query: { planId } }),
    enabled: planId > 0,
  })
  const effect = useQuery({
    ...query(previewCustomerOrder, { params: { userId: user.id }, query: { planId } }),
    enabled: planId > 0,
    staleTime: 0,
    gcTime: 0,
  })
  const isFree = quote.data?.amount === 0
  const method = form.watch('paymentMethod')
  /** The code that was refused because another invoice has the same or a similar code. */
  const [repeatedCode, setRepeatedCode] = useState<string | null>()
  const submit = form.onSubmit(async ({ planId, paymentMethod, confirmationCode, acknowledgeDuplicate }) => {
    const { amount } = quote.data ?? (await quote.refetch({ throwOnError: true })).data!
    const payment = {
      paymentMethod: amount === 0 ? null : paymentMethod,
      confirmationCode,
      acknowledgeDuplicate: acknowledgeDuplicate && confirmationCode === repeatedCode,
    }
    const body = { planId, expectedAmount: amount, ...(isReceived && { payment }) }
    const { invoiceNumber } = await send.mutateAsync({ params: { userId: user.id }, body }).catch((error) => {
      if (error instanceof ApiError && ['duplicate_code', 'similar_code'].includes(error.code))
        setRepeatedCode(confirmationCode ?? null)
      throw error
    })
    setOpen(false)
    toast({
      title: isReceived ? 'Order created and confirmed' : 'Order created',
      description: isReceived
        ? `${invoiceNumber} is paid, and the subscription of ${user.username} has changed.`
        : `${user.username} gets an email with a link to pay ${invoiceNumber}.`,
    })
  })

  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={formId}
      action={isReceived ? 'Create and Confirm' : 'Create Order'}
      pending={form.pending}
      disabled={planId > 0 && !quote.data}
      dirty={form.isDirty}
      unsavedChanges="The order is not created yet."
      title="Create Order"
      description={`For ${user.username}, ${user.email}`}
      returnTo={returnTo}
      error={form.failure && form.problems.length === 0 ? { message: form.failure } : undefined}
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field label="Plan" {...form.field('planId')}>
          <NativeSelect {...form.register('planId', { valueAsNumber: true })} required>
            <option value={0}>Choose a plan</option>
            <PlanOptions plans={plans} />
          </NativeSelect>
        </Field>
        {planId > 0 && <CustomerOrderQuote quote={quote} />}
        {planId > 0 && <CustomerOrderEffect effect={effect} isReceived={isReceived} />}
        <RadioCards
          legend="Payment"
          columns={2}
          options={[
            { value: 'link', title: 'Send a link', description: 'The customer pays it like any other order.' },
            { value: 'received', title: 'Already received', description: 'The order is confirmed immediately.' },
          ]}
          {...form.register('payment')}
        />
        {isReceived && !isFree && (
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Payment method" {...form.field('paymentMethod')}>
              <NativeSelect {...form.register('paymentMethod')}>
                {paymentMethod.options.map((each) => (
                  <option key={each} value={each}>
                    {methodNames[each]}
                  </option>
                ))}
              </NativeSelect>
            </Field>
            {method !== 'creditcard' && (
              <Field label="Confirmation code" optional {...form.field('confirmationCode')}>
                <Input {...form.register('confirmationCode')} autoComplete="off" spellCheck={false} />
              </Field>
            )}
          </div>
        )}
        {isReceived && repeatedCode && form.watch('confirmationCode') === repeatedCode && (
          <Checkbox
            label="I have checked that this payment was made for this order"
            {...form.register('acknowledgeDuplicate')}
          />
        )}
        <Note>
          {isReceived
            ? `The subscription starts or is extended, and ${user.username} gets an email. You can undo the payment on its invoice.`
            : `${user.username} gets an email with a link${quote.data ? ` to pay ${formatCents(quote.data.amount)}` : ''}. An open draft is replaced.`}
        </Note>
      </form>
    </FormDialog>
  )
}
