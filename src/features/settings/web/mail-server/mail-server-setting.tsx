import type { StoredMailServer } from '#features/mails/admin-server-contract.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { Note } from '#web/ui/note.tsx'
import { SettingForm } from '../setting-form.tsx'
import { MailServerFields } from './mail-server-fields.tsx'
import { useMailServerForm } from './use-mail-server-form.ts'

const encryptions = { implicit: 'TLS', required: 'STARTTLS', offered: 'STARTTLS if the server offers it' }
const portOf = (value: unknown) => (value === '' || value === null ? null : Number(value))

/** The server that sends all emails. It is tested before it is saved. */
export function MailServerSetting({ stored }: { stored: StoredMailServer }) {
  const setting = useMailServerForm(stored)
  const {
    form: { field, register },
    recipient,
    stored: { isSet, connection },
  } = setting
  return (
    <SettingForm
      setting={setting}
      hint="Sends all emails to your customers and administrators. Only owners can change it."
      save="Send Test Email and Save"
      effect={`A test email goes to ${recipient}. Nothing is saved unless the mail server accepts it.`}
    >
      {isSet ? (
        <Note tone="ok">
          Emails are sent through port {connection.port} with {encryptions[connection.tls]}.
        </Note>
      ) : (
        <Note tone="warn">No mail server is set up, so emails are only written to the mail log.</Note>
      )}
      <MailServerFields setting={setting} />
      <Field label="Sender name" optional hint="Your brand name if left empty." {...field('name')}>
        <Input {...register('name')} autoComplete="off" />
      </Field>
      <Field
        label="Port"
        optional
        hint="Port and encryption are detected. Enter a port if the server uses an unusual one."
        {...field('port')}
      >
        <Input {...register('port', { setValueAs: portOf })} inputMode="numeric" autoComplete="off" />
      </Field>
      <Field
        label="Certificate of your own CA"
        optional
        hint="Only if the mail server’s certificate is not signed by a public CA. PEM format."
        {...field('ca')}
      >
        <Textarea {...register('ca')} rows={3} spellCheck={false} className="font-mono" />
      </Field>
    </SettingForm>
  )
}
