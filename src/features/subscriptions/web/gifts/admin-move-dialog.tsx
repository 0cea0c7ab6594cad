import { useState } from 'react'
import { type AdminUser, listUsers } from '#features/accounts/admin-contract.ts'
import { getCustomer } from '#features/customers/admin-contract.ts'
import { useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { PaidPeriodsText } from '#web/ui/time/paid-periods-text.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { moveForm, moveSubscription, previewMoveSubscription } from '../../admin-move-contract.ts'

interface Props {
  user: Pick<AdminUser, 'id' | 'username' | 'email'>
  returnTo: () => HTMLElement | null
}

const formId = 'move-subscription'

/**
 * Moves the paid time to another account: the first click shows the effect, the second click moves the time. Open on first render; give it a new
 * key for each opening.
 */
export function AdminMoveDialog({ user, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const preview = useSend(previewMoveSubscription)
  const send = useSend(moveSubscription, [getCustomer, listUsers])
  const form = useSchemaForm({
    schema: moveForm,
    id: formId,
    fields: ['to', 'emails'],
    defaultValues: { to: '', emails: true },
  })
  const shown = preview.variables?.body.to === form.watch('to').trim() ? preview.data : undefined
  const params = { userId: user.id }
  const submit = form.onSubmit(async (values) => {
    if (!shown || shown.outcome.refusal) {
      await preview.mutateAsync({ params, body: { to: values.to } })
      return
    }
    const { username } = await send.mutateAsync({ params, body: { ...values, toUserId: shown.toUserId } })
    setOpen(false)
    toast({ title: 'Subscription moved', description: `${username} now has the paid time of ${user.username}.` })
  })
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={formId}
      action={shown && !shown.outcome.refusal ? 'Move Subscription' : 'Show the Effect'}
      pending={form.pending}
      dirty={form.isDirty}
      unsavedChanges="The subscription has not been moved."
      title="Move Subscription"
      description={`From ${user.username}, ${user.email}`}
      returnTo={returnTo}
      error={form.failure && form.problems.length === 0 ? { message: form.failure } : undefined}
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field label="To the account" hint="Its username or email address." {...form.field('to')}>
          <Input {...form.register('to')} autoComplete="off" spellCheck={false} required />
        </Field>
        <Checkbox label="Email both customers" {...form.register('emails')} />
        <div role="status">
          {shown?.outcome.refusal && <Note tone="bad">{shown.outcome.refusal.message}</Note>}
          {shown && !shown.outcome.refusal && (
            <ul className="grid list-disc gap-1 pl-5 text-15">
              <li className="wrap-anywhere">
                {shown.username}, {shown.email}, gets: <PaidPeriodsText periods={shown.outcome.time} />
              </li>
              <li>
                The subscription of {user.username} is cancelled now. Invoices and payments stay with this account, and
                what was paid for the moved time never becomes credit.
              </li>
              <li>
                The line of {user.username} is disabled, and {shown.username} gets a line of their own.
              </li>
            </ul>
          )}
        </div>
        <p className="text-sm text-fg-2">You can undo it in the timeline of either account.</p>
      </form>
    </FormDialog>
  )
}
