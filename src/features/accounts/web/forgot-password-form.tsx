import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { createPasswordReset, forgottenPassword } from '../contract.ts'

export function ForgotPasswordForm() {
  const send = useSend(createPasswordReset)
  const [sentMessage, setSentMessage] = useState<string>()
  const form = useSchemaForm({
    schema: forgottenPassword,
    id: 'forgotten',
    fields: ['email'],
    onFailure: (message) => toast({ title: 'Failed to request a link', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async (body) => {
    setSentMessage(undefined)
    const { message } = await send.mutateAsync({ body })
    setSentMessage(message)
  })

  return (
    <form noValidate className="grid gap-5" onSubmit={submit}>
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <Field label="Email" {...form.field('email')}>
        <Input {...form.register('email')} type="email" autoComplete="email" required />
      </Field>
      {/* Rendered from the start, so that screen readers announce the message. */}
      <div role="status" className="empty:hidden">
        {sentMessage && (
          <Note tone="ok">{sentMessage} No email? Check your spam folder, and check the address for typos.</Note>
        )}
      </div>
      {form.failure && <Note tone="bad">{form.failure}</Note>}
      <Button {...form.button} size="lg" wide>
        {sentMessage ? 'Send Another Link' : 'Send Link'}
      </Button>
      <p className="text-sm">
        <Link to="/auth" className="link">
          Back to login
        </Link>
      </p>
    </form>
  )
}
