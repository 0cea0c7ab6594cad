import { ErrorSummary } from '#web/ui/error-summary.tsx'
import { Field } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import type { useSchemaForm } from '#web/ui/use-schema-form.ts'
import type { passwordOnly } from '../contract.ts'

type Form = ReturnType<typeof useSchemaForm<typeof passwordOnly._zod.input, typeof passwordOnly._zod.output>>

export function PasswordFields({ form }: { form: Form }) {
  return (
    <>
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <Field label="Current Password" {...form.field('currentPassword')}>
        <PasswordInput {...form.register('currentPassword')} autoComplete="current-password" required />
      </Field>
      {form.failure && form.problems.length === 0 && <Note tone="bad">{form.failure}</Note>}
    </>
  )
}
