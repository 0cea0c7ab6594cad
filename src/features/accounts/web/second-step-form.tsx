import { useEffect } from 'react'
import { codeOnly, confirmLogin } from '#features/two-factor/contract.ts'
import { ApiError } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { useSignedIn } from './use-signed-in.ts'

interface Props {
  token: string
  /** Returns to the password form, which shows the reason if there is one. */
  onBack: (message?: string) => void
}

export function SecondStepForm({ token, onBack }: Props) {
  const send = useSend(confirmLogin)
  const signedIn = useSignedIn()
  const form = useSchemaForm({
    schema: codeOnly,
    id: 'second-step',
    fields: ['code'],
    onFailure: (message, error) => {
      toast({ title: 'Login failed', description: message, variant: 'destructive' })
      if (error instanceof ApiError && error.code === 'login_expired') onBack(message)
    },
  })
  const submit = form.onSubmit(async ({ code }) => {
    const { user, recoveryCodesLeft } = await send.mutateAsync({ body: { token, code } })
    const welcome = { title: 'Welcome back!', description: `You've successfully logged in as ${user.username}` }
    if (recoveryCodesLeft > 2) toast(welcome)
    else
      toast(welcome, {
        title: 'Few recovery codes left',
        description: `You have ${recoveryCodesLeft} left. Generate new ones under Account Security.`,
      })
    await signedIn(user)
  })
  useEffect(() => document.getElementById('second-step-code')?.focus(), [])

  return (
    <form noValidate className="grid gap-5" onSubmit={submit}>
      <h2 className="text-xl">Two-step verification</h2>
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <Field
        label="Code"
        hint="The six digits your authenticator app shows now. Lost your device? Enter a recovery code."
        {...form.field('code')}
      >
        <Input
          {...form.register('code')}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          required
        />
      </Field>
      {form.failure && form.problems.length === 0 && <Note tone="bad">{form.failure}</Note>}
      <Button {...form.button} size="lg" wide>
        Verify
      </Button>
      <Button variant="ghost" onClick={() => onBack()}>
        Back to login
      </Button>
      <p className="text-sm text-fg-2">
        Lost your device and your recovery codes? Contact support. Once we have verified that it’s you, we can turn off
        two-step verification.
      </p>
    </form>
  )
}
