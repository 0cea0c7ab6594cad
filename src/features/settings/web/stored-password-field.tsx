import { Field } from '#web/ui/form/field.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'

interface Props {
  /** Whether a password is stored. */
  isSet: boolean
  /** Shown while no password is stored. */
  hint: string
  field: { id: string; error: string | undefined }
  input: object
  className?: string
}

/** The password of another server: stored encrypted, never shown, and kept while the field is empty. */
export function StoredPasswordField({ isSet, hint, field, input, className }: Props) {
  return (
    <Field
      label={isSet ? 'New password' : 'Password'}
      optional={isSet}
      hint={isSet ? 'A password is set. It is stored encrypted and never shown. Leave this empty to keep it.' : hint}
      {...field}
      {...(className && { className })}
    >
      <PasswordInput {...input} autoComplete="off" />
    </Field>
  )
}
