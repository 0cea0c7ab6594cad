import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { StoredPasswordField } from '../stored-password-field.tsx'
import type { useMailServerForm } from './use-mail-server-form.ts'

const plain = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' } as const

/** Server, login and sender: what most mail servers need. */
export function MailServerFields({ setting }: { setting: ReturnType<typeof useMailServerForm> }) {
  const {
    form: { field, register },
    stored: { passwordSet },
  } = setting
  return (
    <>
      <Field label="Mail server (SMTP)" hint="For example, smtp.mail.example." {...field('host')}>
        <Input {...register('host')} {...plain} required />
      </Field>
      <Field label="Username" hint="Usually an email address." className="field-half" {...field('username')}>
        <Input {...register('username')} {...plain} />
      </Field>
      <StoredPasswordField
        isSet={passwordSet}
        hint="Often an app password. Stored encrypted."
        className="field-half"
        field={field('password')}
        input={register('password')}
      />
      <Field
        label="Sender address"
        hint="All emails are sent from it. Usually the same as the username."
        {...field('address')}
      >
        <Input {...register('address')} {...plain} type="email" required />
      </Field>
    </>
  )
}
