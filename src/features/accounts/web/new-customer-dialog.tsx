import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { createCustomer, listUsers, newCustomer } from '../admin-contract.ts'

const formId = 'new-customer'

/** Creates a customer and opens their page. Open on first render; give it a new key for each opening. */
export function NewCustomerDialog({ returnTo }: { returnTo: () => HTMLElement | null }) {
  const [open, setOpen] = useState(true)
  const navigate = useNavigate()
  const send = useSend(createCustomer, [listUsers])
  const form = useSchemaForm({
    schema: newCustomer,
    id: formId,
    fields: ['username', 'email', 'fullName'],
    defaultValues: { username: '', email: '', fullName: '' },
    onFailure: (message) => toast({ title: 'Customer not created', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async (values) => {
    const { id, username } = await send.mutateAsync({ body: { ...values, fullName: values.fullName || undefined } })
    setOpen(false)
    toast({ title: 'Customer created', description: `${username} gets an email with a link to choose a password.` })
    await navigate({ to: '/admin/users/$userId', params: { userId: String(id) } })
  })
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={formId}
      action="Create Customer"
      pending={form.pending}
      dirty={form.isDirty}
      unsavedChanges="The customer is not created yet."
      title="New Customer"
      description="For a customer who cannot or need not register."
      returnTo={returnTo}
      error={form.failure && form.problems.length === 0 ? { message: form.failure } : undefined}
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field label="Username" {...form.field('username')}>
          <Input {...form.register('username')} autoComplete="off" autoCapitalize="none" spellCheck={false} required />
        </Field>
        <Field label="Email" {...form.field('email')}>
          <Input {...form.register('email')} type="email" autoComplete="off" required />
        </Field>
        <Field label="Full Name" optional {...form.field('fullName')}>
          <Input {...form.register('fullName')} autoComplete="off" />
        </Field>
        <Note>The customer gets an email with a link to choose a password. The link works once, for 7 days.</Note>
      </form>
    </FormDialog>
  )
}
