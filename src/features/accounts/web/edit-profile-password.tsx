import { ErrorSummary } from '#web/ui/error-summary.tsx'
import { Field } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import type { PasswordForm } from './edit-profile-dialog.tsx'

export function EditProfilePassword({ form, submit, username }: PasswordForm & { username: string }) {
  return (
    <form id="edit-password" noValidate className="grid gap-5" onSubmit={submit}>
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      {/* Tells a password manager whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <Field label="Current Password" {...form.field('currentPassword')}>
        <PasswordInput {...form.register('currentPassword')} autoComplete="current-password" required />
      </Field>
      <Field label="New Password" hint="At least 6 characters; a longer one is better." {...form.field('newPassword')}>
        <PasswordInput {...form.register('newPassword')} autoComplete="new-password" required />
      </Field>
      <Field label="Confirm New Password" hint="Everywhere else you will be logged out." {...form.field('confirmPassword')}>
        <PasswordInput {...form.register('confirmPassword')} autoComplete="new-password" required />
      </Field>
      {form.failure && form.problems.length === 0 && <Note tone="bad">{form.failure}</Note>}
    </form>
  )
}
