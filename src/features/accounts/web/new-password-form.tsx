import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useRouter } from '@tanstack/react-router'
import { ApiError } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { confirmPasswordReset, currentUser, newPasswordForm } from '../contract.ts'

export function NewPasswordForm({ token }: { token: string }) {
  const client = useQueryClient()
  const router = useRouter()
  const navigate = useNavigate()
  const send = useSend(confirmPasswordReset)
  const form = useSchemaForm({
    schema: newPasswordForm,
    id: 'reset',
    fields: ['newPassword', 'confirmPassword'],
    onFailure: (message) =>
      toast({ title: 'Failed to set the password', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async ({ newPassword }) => {
    const { message } = await send.mutateAsync({ body: { token, newPassword } })
    toast({ title: 'Password changed', description: message })
    // The reset ended the session of this browser, if there was one.
    client.setQueryData(query(currentUser).queryKey, null)
    await router.invalidate()
    await navigate({ to: '/auth' })
  })
  const isBroken = send.error instanceof ApiError && send.error.code === 'broken_link'

  return (
    <form noValidate className="grid gap-5" onSubmit={submit}>
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <Field label="New Password" hint="At least 6 characters; longer is better." {...form.field('newPassword')}>
        <PasswordInput {...form.register('newPassword')} autoComplete="new-password" required />
      </Field>
      <Field label="Confirm New Password" {...form.field('confirmPassword')}>
        <PasswordInput {...form.register('confirmPassword')} autoComplete="new-password" required />
      </Field>
      {form.failure && form.problems.length === 0 && <Note tone="bad">{form.failure}</Note>}
      <Button {...form.button} size="lg" wide>
        Set Password
      </Button>
      {isBroken && (
        <p className="text-sm">
          <Link to="/forgot-password" className="link">
            Request a new link
          </Link>
        </p>
      )}
    </form>
  )
}
