import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorSummary } from '#web/ui/error-summary.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Note } from '#web/ui/note.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { toast } from '#web/ui/toast.ts'
import { useSchemaForm } from '#web/ui/use-schema-form.ts'
import { credentials, login } from '../contract.ts'
import { useSignedIn } from './use-signed-in.ts'

export function LoginForm() {
  const send = useSend(login)
  const signedIn = useSignedIn()
  const form = useSchemaForm({
    schema: credentials,
    id: 'login',
    fields: ['username', 'password'],
    onFailure: (message) => toast({ title: 'Login failed', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async (body) => {
    const user = await send.mutateAsync({ body })
    toast({ title: 'Welcome back!', description: `You've successfully logged in as ${user.username}` })
    await signedIn(user)
  })

  return (
    <form noValidate className="grid gap-5" onSubmit={submit}>
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <Field label="Username" {...form.field('username')}>
        <Input {...form.register('username')} autoComplete="username" autoCapitalize="none" spellCheck={false} required />
      </Field>
      <Field label="Password" {...form.field('password')}>
        <PasswordInput {...form.register('password')} autoComplete="current-password" required />
      </Field>
      {form.failure && <Note tone="bad">{form.failure}</Note>}
      <Button {...form.button} size="lg" wide>
        Login
      </Button>
    </form>
  )
}
