import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import type { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
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
