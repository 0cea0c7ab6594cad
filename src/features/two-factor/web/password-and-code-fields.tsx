import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import type { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import type { passwordAndCode } from '../contract.ts'

type Form = ReturnType<typeof useSchemaForm<typeof passwordAndCode._zod.input, typeof passwordAndCode._zod.output>>

export function PasswordAndCodeFields({ form }: { form: Form }) {
  return (
    <>
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <Field label="Current Password" {...form.field('currentPassword')}>
        <PasswordInput {...form.register('currentPassword')} autoComplete="current-password" required />
      </Field>
      <Field label="Code" hint="From your authenticator app, or a recovery code." {...form.field('code')}>
        <Input {...form.register('code')} autoComplete="one-time-code" spellCheck={false} required />
      </Field>
      {form.failure && form.problems.length === 0 && <Note tone="bad">{form.failure}</Note>}
    </>
  )
}
