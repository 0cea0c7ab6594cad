import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { getAccountCredit } from '#features/referrals/contract.ts'
import { refresh, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { register, registrationForm } from '../contract.ts'
import { useSignedIn } from './use-signed-in.ts'

const created = { title: 'Account created!', description: 'Your account has been created successfully.' }
const bonus = { title: 'Referral bonus applied!', description: "You've received credit from using a referral code." }

interface Props {
  /** The referral code from an invitation link. It is prefilled and locked unless the server rejects it. */
  invitedBy?: string | undefined
}

export function RegisterForm({ invitedBy }: Props) {
  const client = useQueryClient()
  const send = useSend(register)
  const signedIn = useSignedIn()
  const form = useSchemaForm({
    schema: registrationForm,
    id: 'register',
    fields: ['username', 'email', 'password', 'confirmPassword', 'fullName', 'referralCode'],
    onFailure: (message) => toast({ title: 'Registration failed', description: message, variant: 'destructive' }),
  })
  const referral = form.field('referralCode')
  // A rejected code becomes editable and stays editable while the user corrects it.
  const [refused, setRefused] = useState(false)
  if (referral.error && !refused) setRefused(true)
  const locked = invitedBy !== undefined && !refused

  const submit = form.onSubmit(async ({ confirmPassword: _, ...values }) => {
    const body = { ...values, fullName: values.fullName || undefined, referralCode: values.referralCode || undefined }
    const { user, referralApplied } = await send.mutateAsync({ body })
    if (referralApplied) {
      toast(created, bonus)
      void refresh(client, [getAccountCredit.id])
    } else toast(created)
    await signedIn(user)
  })

  return (
    <form noValidate className="grid gap-5 sm:grid-cols-2" onSubmit={submit}>
      <div className="empty:hidden sm:col-span-2">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      </div>
      <Field label="Username" {...form.field('username')}>
        <Input
          {...form.register('username')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      </Field>
      <Field label="Email" {...form.field('email')}>
        <Input {...form.register('email')} type="email" autoComplete="email" required />
      </Field>
      <Field label="Password" {...form.field('password')}>
        <PasswordInput {...form.register('password')} autoComplete="new-password" required />
      </Field>
      <Field label="Confirm Password" {...form.field('confirmPassword')}>
        <PasswordInput {...form.register('confirmPassword')} autoComplete="new-password" required />
      </Field>
      <Field label="Full Name" optional {...form.field('fullName')}>
        <Input {...form.register('fullName')} autoComplete="name" />
      </Field>
      <Field label="Referral Code" optional hint={locked && 'Filled in from your invitation'} {...referral}>
        <Input
          {...form.register('referralCode')}
          defaultValue={invitedBy}
          readOnly={locked}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
      </Field>
      <div className="grid gap-5 sm:col-span-2">
        {form.failure && <Note tone="bad">{form.failure}</Note>}
        <Button {...form.button} size="lg" wide>
          Create Account
        </Button>
        <p className="text-sm text-fg-2">
          By creating an account you agree to the{' '}
          <Link to="/terms" className="link">
            Terms of Service
          </Link>{' '}
          and the{' '}
          <Link to="/privacy" className="link">
            Privacy Policy
          </Link>
          .
        </p>
      </div>
    </form>
  )
}
