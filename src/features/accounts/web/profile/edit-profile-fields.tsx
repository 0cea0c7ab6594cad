import { useQuery } from '@tanstack/react-query'
import { getTwoFactor } from '#features/two-factor/contract.ts'
import { query } from '#web/data.ts'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import type { ProfileForm } from './use-profile-forms.ts'

export function EditProfileFields({ form, submit, email }: ProfileForm & { email: string }) {
  const { data: twoFactor } = useQuery(query(getTwoFactor))
  const needsCode = twoFactor?.enabled && form.watch('email') !== email
  return (
    <form id="edit-profile" noValidate className="grid gap-5" onSubmit={submit}>
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <Field label="Full Name" optional {...form.field('fullName')}>
        <Input {...form.register('fullName')} autoComplete="name" />
      </Field>
      <Field label="Email" hint="We’ll notify your old address of any change." {...form.field('email')}>
        <Input {...form.register('email')} type="email" autoComplete="email" required />
      </Field>
      <Field label="Current Password" hint="To confirm that it’s you." {...form.field('currentPassword')}>
        <PasswordInput {...form.register('currentPassword')} autoComplete="current-password" required />
      </Field>
      {needsCode && (
        <Field
          label="Code"
          hint="Required to change your email: a code from your authenticator app, or a recovery code."
          {...form.field('code')}
        >
          <Input {...form.register('code')} autoComplete="one-time-code" spellCheck={false} required />
        </Field>
      )}
      {form.failure && form.problems.length === 0 && <FormError message={form.failure} code={form.failureCode} />}
    </form>
  )
}
