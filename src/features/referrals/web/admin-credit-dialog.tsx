import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminUser } from '#features/accounts/admin-contract.ts'
import { getCustomer } from '#features/customers/admin-contract.ts'
import { ApiError } from '#kit/caller.ts'
import { formatCents, formatSignedCents } from '#kit/money.ts'
import { query, useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { adjustCredit } from '../admin-contract.ts'
import { amountOf, creditForm } from './credit-form.ts'

interface Props {
  user: Pick<AdminUser, 'id' | 'username' | 'email' | 'accountCredit'>
  /** Takes the focus when the dialog closes. */
  returnTo: () => HTMLElement | null
}

const formId = 'admin-credit'

/** Adds or removes account credit with a reason. Open on first render; give it a new key for each opening. */
export function AdminCreditDialog({ user, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const [shown, setShown] = useState(user.accountCredit)
  const [isStale, setStale] = useState(false)
  const customer = useQuery(query(getCustomer, { params: { userId: user.id } }))
  const send = useSend(adjustCredit, [getCustomer])
  const form = useSchemaForm({
    schema: creditForm,
    id: formId,
    fields: ['direction', 'dollars', 'reason'],
    defaultValues: { direction: 'add', dollars: '', reason: '' },
    onFailure: (message, error) => {
      setStale(error instanceof ApiError && error.code === 'stale')
      toast({ title: 'Update Failed', description: message, variant: 'destructive' })
    },
  })
  const amount = amountOf(form.watch())
  const submit = form.onSubmit(async (values) => {
    setStale(false)
    const body = { amount: amountOf(values)!, reason: values.reason, expectedBalance: shown }
    const { formattedBalance } = await send.mutateAsync({ params: { userId: user.id }, body })
    setOpen(false)
    toast({ title: 'Credit updated', description: `${user.username} now has ${formattedBalance}.` })
  })
  const reload = async () => {
    const { data } = await customer.refetch({ throwOnError: true })
    if (data) setShown(data.user.accountCredit)
    setStale(false)
    form.forget()
    document.getElementById(`${formId}-dollars`)?.focus()
  }

  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={formId}
      action="Adjust Credit"
      pending={form.pending}
      title="Adjust Credit"
      description={`Account ${user.username}, ${user.email}`}
      keepOnOutsidePress
      returnTo={returnTo}
      error={
        form.failure && form.problems.length === 0
          ? { message: form.failure, onReload: isStale ? reload : undefined }
          : undefined
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Action" {...form.field('direction')}>
            <NativeSelect {...form.register('direction')}>
              <option value="add">Add credit</option>
              <option value="take">Remove credit</option>
            </NativeSelect>
          </Field>
          <Field label="Amount in dollars" {...form.field('dollars')}>
            <Input {...form.register('dollars')} inputMode="decimal" autoComplete="off" placeholder="0.00" required />
          </Field>
        </div>
        <Field label="Reason" hint={`Shown to ${user.username} in the credit history.`} {...form.field('reason')}>
          <Input {...form.register('reason')} autoComplete="off" required />
        </Field>
        <p className="num" aria-live="polite">
          Balance: <b>{formatCents(shown)}</b>
          {amount !== undefined && (
            <>
              {' '}
              {formatSignedCents(amount)} = <b>{formatCents(shown + amount)}</b>
              {shown + amount < 0 && <span className="text-bad"> The balance cannot become negative.</span>}
            </>
          )}
        </p>
      </form>
    </FormDialog>
  )
}
