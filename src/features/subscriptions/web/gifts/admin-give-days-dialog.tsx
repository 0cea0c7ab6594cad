import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AdminUser, listUsers } from '#features/accounts/admin-contract.ts'
import { getCustomer } from '#features/customers/admin-contract.ts'
import { callOf, query, useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { daysField, giveDays, giveDaysForm, previewGiftOfDays } from '../../admin-gift-contract.ts'
import { EditPreview } from '../edit-preview.tsx'

interface Props {
  user: Pick<AdminUser, 'id' | 'username' | 'email'>
  returnTo: () => HTMLElement | null
}

const formId = 'give-days'

/** Gives days to a customer, with a reason and a preview. Open on first render; give it a new key for each opening. */
export function AdminGiveDaysDialog({ user, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const customer = useQuery(query(getCustomer, { params: { userId: user.id } }))
  const send = useSend(giveDays, [getCustomer, listUsers])
  const form = useSchemaForm({
    schema: giveDaysForm,
    id: formId,
    fields: ['days', 'reason', 'emails'],
    defaultValues: { days: 7, reason: '', emails: true },
    onFailure: (message) => toast({ title: 'No days given', description: message, variant: 'destructive' }),
  })
  const days = form.watch('days')
  const preview = useDaysPreview(user.id, days)
  const submit = form.onSubmit(async (values) => {
    const time = customer.data?.time ?? []
    const shown = time.at(-1)?.endsAt ?? customer.data?.user.subscriptionEndDate ?? null
    const { endDate } = await send.mutateAsync({ params: { userId: user.id }, body: { ...values, expectedEnd: shown } })
    setOpen(false)
    toast({ title: 'Days given', description: `${user.username}'s subscription ends ${endDate?.slice(0, 10)}.` })
  })
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={formId}
      action="Give Days"
      pending={form.pending}
      disabled={!customer.data || Boolean(preview.outcome?.refusal)}
      dirty={form.isDirty}
      unsavedChanges={`Nothing has been given to ${user.username} yet.`}
      title="Give Days"
      description={`Account ${user.username}, ${user.email}`}
      returnTo={returnTo}
      error={form.failure && form.problems.length === 0 ? { message: form.failure } : undefined}
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field label="Days" hint="Added after the remaining time, without a payment." {...form.field('days')}>
          <Input {...form.register('days', { valueAsNumber: true })} type="number" min={1} max={366} required />
        </Field>
        <Field label="Reason" hint={`Shown to ${user.username}.`} {...form.field('reason')}>
          <Input {...form.register('reason')} autoComplete="off" required />
        </Field>
        <Checkbox label={`Email ${user.username}`} {...form.register('emails')} />
        <EditPreview preview={preview} />
        <p className="text-sm text-fg-2">You can undo it in the timeline, unless the plan is changed afterwards.</p>
      </form>
    </FormDialog>
  )
}

/** The server's preview of giving these days. Not requested while the number is invalid. */
function useDaysPreview(userId: number, days: number) {
  const isReady = daysField.safeParse(days).success
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [previewGiftOfDays.id, userId, days],
    queryFn: ({ client, signal }) => callOf(client)(previewGiftOfDays, { params: { userId }, body: { days } }, signal),
    enabled: isReady,
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })
  return { isReady, outcome: isReady ? data : undefined, error: isReady ? error : null, isFetching, refetch }
}
