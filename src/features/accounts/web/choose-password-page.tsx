import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { currentUser, passwordForm, updatePassword } from '../contract.ts'
import { landingPath } from '../rules.ts'

/** Shown until the user has replaced a temporary or guessable password. Then redirects to the page that the user wanted to open. */
export function ChoosePasswordPage() {
  const { data: user } = useSuspenseQuery(query(currentUser))
  const { redirect } = useSearch({ from: '/choose-password' })
  const client = useQueryClient()
  const router = useRouter()
  const navigate = useNavigate()
  const send = useSend(updatePassword)
  const form = useSchemaForm({
    schema: passwordForm,
    id: 'choose',
    fields: ['currentPassword', 'newPassword', 'confirmPassword'],
    onFailure: (message) => toast({ title: 'Failed to change password', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async ({ confirmPassword: _, ...body }) => {
    const changed = await send.mutateAsync({ body })
    client.setQueryData(query(currentUser).queryKey, changed)
    toast({ title: 'Password changed', description: 'Your new password is now active.' })
    await navigate({ href: landingPath(changed.role, redirect) })
    await router.invalidate()
  })

  return (
    <div className="wrap page">
      <PageHeader
        title="Choose a new password"
        lead="Your password was set by an administrator or is easy to guess. Please choose one that only you know."
      />
      <form noValidate className="grid max-w-[32rem] gap-5" onSubmit={submit}>
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        {/* Lets password managers save the password for this username. */}
        <input type="text" name="username" autoComplete="username" value={user?.username ?? ''} readOnly hidden />
        <Field label="Current Password" hint="The password you just logged in with." {...form.field('currentPassword')}>
          <PasswordInput {...form.register('currentPassword')} autoComplete="current-password" required />
        </Field>
        <Field label="New Password" hint="At least 6 characters; longer is better." {...form.field('newPassword')}>
          <PasswordInput {...form.register('newPassword')} autoComplete="new-password" required />
        </Field>
        <Field label="Confirm New Password" {...form.field('confirmPassword')}>
          <PasswordInput {...form.register('confirmPassword')} autoComplete="new-password" required />
        </Field>
        {form.failure && form.problems.length === 0 && <Note tone="bad">{form.failure}</Note>}
        <Button {...form.button} size="lg" wide>
          Change Password
        </Button>
      </form>
    </div>
  )
}
