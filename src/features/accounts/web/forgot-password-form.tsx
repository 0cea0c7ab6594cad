import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast.ts'
import { createPasswordReset, forgottenPassword } from '../contract.ts'

export function ForgotPasswordForm() {
  const send = useSend(createPasswordReset)
  const [told, setTold] = useState<string>()
  const form = useSchemaForm({
    schema: forgottenPassword,
    id: 'forgotten',
    fields: ['email'],
    onFailure: (message) => toast({ title: 'Failed to ask for a link', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async (body) => {
    setTold(undefined)
    const { message } = await send.mutateAsync({ body })
    setTold(message)
  })

  return (
    <form noValidate className="grid gap-5" onSubmit={submit}>
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <Field label="Email" {...form.field('email')}>
        <Input {...form.register('email')} type="email" autoComplete="email" required />
      </Field>
      {/* There from the start, so that what appears in it is read out. */}
      <div role="status" className="empty:hidden">
        {told && <Note tone="ok">{told} Nothing there? Look among the spam, and check the address for a typo.</Note>}
      </div>
      {form.failure && <Note tone="bad">{form.failure}</Note>}
      <Button {...form.button} size="lg" wide>
        {told ? 'Send Another Link' : 'Send Link'}
      </Button>
      <p className="text-sm">
        <Link to="/auth" className="link">
          Back to login
        </Link>
      </p>
    </form>
  )
}
