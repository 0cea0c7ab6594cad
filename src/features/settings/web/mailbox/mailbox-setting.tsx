import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { ListField } from '#web/ui/form/list-field.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { SettingForm } from '../setting-form.tsx'
import { StoredPasswordField } from '../stored-password-field.tsx'
import { MailboxConsent } from './mailbox-consent.tsx'
import { MailboxTest } from './mailbox-test.tsx'
import { type StoredMailbox, useMailboxForm } from './use-mailbox-form.ts'

const plain = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' } as const

/** The mailbox that payment services write to, and the accounts whose payments are the operator's. */
export function MailboxSetting({ stored }: { stored: StoredMailbox }) {
  const setting = useMailboxForm(stored)
  const { form } = setting
  const { field, register, watch } = form
  const list = (name: 'addresses' | 'accountNames' | 'accountEndings') => ({
    ...field(name),
    values: watch(name),
    onChange: (values: string[]) => form.setValue(name, values, form.asTyped),
    errorAt: (index: number) => form.messageAt(`${name}.${index}`),
    most: 10,
  })
  return (
    <SettingForm
      setting={setting}
      hint="Emails of Cash App, Venmo, Zelle, PayPal, Chime, Wise and Stripe are read, and their payments appear on the payment desk. Emails of other senders are ignored, except for replies to tickets and, if you want, new ones. Nothing in the mailbox is changed, and no payment is confirmed without you."
    >
      <Checkbox label="Read payment emails" {...field('enabled')} {...register('enabled')} />
      <Field label="Mail server (IMAP)" hint="For example, imap.mail.example." {...field('host')}>
        <Input {...register('host')} {...plain} />
      </Field>
      <Field label="Encryption" {...field('tls')}>
        <NativeSelect {...register('tls')}>
          <option value="implicit">TLS, usually port 993</option>
          <option value="starttls">STARTTLS, usually port 143</option>
        </NativeSelect>
      </Field>
      <Field label="Port" {...field('port')}>
        <Input {...register('port', { valueAsNumber: true })} type="number" min={1} max={65_535} required />
      </Field>
      <Field label="Username" hint="Usually the email address." {...field('username')}>
        <Input {...register('username')} {...plain} />
      </Field>
      <Field label="Log in with" hint="Outlook.com and Microsoft 365 accept no passwords." {...field('login')}>
        <NativeSelect {...register('login')}>
          <option value="password">Password</option>
          <option value="google">Google account (OAuth)</option>
          <option value="microsoft">Microsoft account (OAuth)</option>
          <option value="other">Another mail service (OAuth)</option>
        </NativeSelect>
      </Field>
      {watch('login') === 'password' ? (
        <StoredPasswordField
          isSet={setting.stored.passwordSet}
          hint="Use an app password if your mail service has them. It is stored encrypted and never shown again."
          field={field('password')}
          input={register('password')}
        />
      ) : (
        <MailboxConsent setting={setting} />
      )}
      <Field label="Folder" {...field('folder')}>
        <Input {...register('folder')} {...plain} required />
      </Field>
      <Field
        label="Certificate of your own CA"
        optional
        hint="Only if the mail server’s certificate is not signed by a public CA. PEM format."
        {...field('ca')}
      >
        <Textarea {...register('ca')} rows={3} spellCheck={false} className="font-mono" />
      </Field>
      <MailboxTest watch={watch} />
      <ListField
        {...list('addresses')}
        legend="Addresses that payment services write to"
        hint="An email to another address is refused. Without an entry, the username is the address."
        noun="Address"
      />
      <ListField
        {...list('accountNames')}
        legend="Names of your accounts"
        hint="If an email names the account that was paid, it must be one of these. Without an entry, names are not compared. Cashtag and Venmo handle are compared as set under Payments."
        noun="Name"
      />
      <ListField
        {...list('accountEndings')}
        legend="Last digits of your bank accounts"
        hint="For Zelle, if an email names them. Without an entry, they are not compared."
        noun="Ending"
      />
      <Field
        label="Name of the mail server in its own checks"
        optional
        hint="The first word of the header Authentication-Results. If a signature’s key is not available, the server’s own check is used, for suggestions only."
        {...field('authservId')}
      >
        <Input {...register('authservId')} {...plain} />
      </Field>
      <Field
        label="Emails that are not replies to a ticket"
        hint="Only emails whose sender is verified by a signature open a ticket. All others stay in the mailbox."
        {...field('newTickets')}
      >
        <NativeSelect {...register('newTickets')}>
          <option value="off">Ignore them</option>
          <option value="customers">Open a ticket if a customer sent it</option>
          <option value="everyone">Open a ticket for every sender</option>
        </NativeSelect>
      </Field>
    </SettingForm>
  )
}
