import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { useIsHydrated } from '#web/ui/hydration/use-is-hydrated.ts'
import { Note } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { credentials, login } from '../contract.ts'
import { useSignedIn } from './use-signed-in.ts'

const SecondStepForm = lazy(() =>
  import('./second-step-form.tsx').then((module) => ({ default: module.SecondStepForm })),
)
const PasskeyLogin = lazy(() => import('./passkey-login.tsx').then((module) => ({ default: module.PasskeyLogin })))

/** Reserves the space of the passkey button, so that the form does not move when the button loads: a press during that shift would be lost. */
const passkeySpace = <div aria-hidden="true" className="min-h-[3.375rem]" />

export function LoginForm() {
  const send = useSend(login)
  const signedIn = useSignedIn()
  const [token, setToken] = useState<string>()
  const [expired, setExpired] = useState<string>()
  const isHydrated = useIsHydrated()
  const form = useSchemaForm({
    schema: credentials,
    id: 'login',
    fields: ['username', 'password'],
    onFailure: (message) => toast({ title: 'Login failed', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async (body) => {
    const user = await send.mutateAsync({ body })
    if ('secondStep' in user) {
      setExpired(undefined)
      setToken(user.secondStep.token)
      return
    }
    toast({ title: 'Welcome back!', description: `You've successfully logged in as ${user.username}` })
    await signedIn(user)
  })

  const back = (message?: string) => {
    setToken(undefined)
    setExpired(message)
  }
  if (token)
    return (
      <Suspense fallback={<Skeleton className="h-48" />}>
        <SecondStepForm token={token} onBack={back} />
      </Suspense>
    )
  return (
    <form noValidate className="grid gap-5" onSubmit={submit}>
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <Field label="Username" {...form.field('username')}>
        <Input
          {...form.register('username')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      </Field>
      <Field label="Password" {...form.field('password')}>
        <PasswordInput {...form.register('password')} autoComplete="current-password" required />
      </Field>
      <p className="-mt-2 text-sm">
        <Link to="/forgot-password" className="link">
          Forgot password?
        </Link>
      </p>
      {expired && !form.failure && <Note tone="warn">{expired}</Note>}
      {form.failure && <Note tone="bad">{form.failure}</Note>}
      <Button {...form.button} size="lg" wide>
        Log In
      </Button>
      {!isHydrated && passkeySpace}
      {isHydrated && 'PublicKeyCredential' in window && (
        <Suspense fallback={passkeySpace}>
          <PasskeyLogin />
        </Suspense>
      )}
    </form>
  )
}
