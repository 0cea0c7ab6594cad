import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { listPasskeys } from '#features/passkeys/contract.ts'
import { query } from '#web/data.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { Note } from '#web/ui/note.tsx'
import type { PasswordForm } from './use-profile-forms.ts'

const KeepDevices = lazy(() => import('./keep-devices.tsx').then((module) => ({ default: module.KeepDevices })))

export function EditProfilePassword({ form, submit, username }: PasswordForm & { username: string }) {
  const { data: passkeys = [] } = useQuery(query(listPasskeys))
  return (
    <form id="edit-password" noValidate className="grid gap-5" onSubmit={submit}>
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      {/* Lets password managers save the password for this username. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <Field label="Current Password" {...form.field('currentPassword')}>
        <PasswordInput {...form.register('currentPassword')} autoComplete="current-password" required />
      </Field>
      <Field label="New Password" hint="At least 6 characters; longer is better." {...form.field('newPassword')}>
        <PasswordInput {...form.register('newPassword')} autoComplete="new-password" required />
      </Field>
      <Field
        label="Confirm New Password"
        hint="You will be logged out everywhere else."
        {...form.field('confirmPassword')}
      >
        <PasswordInput {...form.register('confirmPassword')} autoComplete="new-password" required />
      </Field>
      {passkeys.length > 0 && (
        <fieldset className="grid gap-3">
          <legend className="field-label mb-1.5">Passkeys that log in without a password</legend>
          <ul className="list-disc pl-5 wrap-anywhere">
            {passkeys.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </ul>
          <Checkbox
            label="Remove these passkeys"
            hint="Choose this if you do not recognize one of them."
            {...form.register('removePasskeys')}
          />
        </fieldset>
      )}
      <Suspense>
        <KeepDevices {...form.register('keepDevices')} />
      </Suspense>
      {form.failure && form.problems.length === 0 && <Note tone="bad">{form.failure}</Note>}
    </form>
  )
}
