import { useQuery } from '@tanstack/react-query'
import { getTwoFactor } from '#features/two-factor/contract.ts'
import { query } from '#web/data.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import type { useSchemaForm } from '#web/ui/form/use-schema-form.ts'

type Proof = { currentPassword: string; code?: string | undefined }
type Form = Pick<ReturnType<typeof useSchemaForm<Proof, Proof>>, 'field' | 'register'>

/** The password of the owner, and a code where two-step verification is on. */
export function ProofFields({ form }: { form: Form }) {
  const { data: twoFactor } = useQuery(query(getTwoFactor))
  return (
    <>
      <Field label="Current password" hint="To confirm that it’s you." {...form.field('currentPassword')}>
        <PasswordInput {...form.register('currentPassword')} autoComplete="current-password" required />
      </Field>
      {twoFactor?.enabled && (
        <Field label="Code" hint="From your authenticator app, or a recovery code." {...form.field('code')}>
          <Input {...form.register('code')} autoComplete="one-time-code" spellCheck={false} required />
        </Field>
      )}
    </>
  )
}
