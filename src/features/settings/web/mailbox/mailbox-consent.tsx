import { useNavigate } from '@tanstack/react-router'
import { connectMailbox } from '#features/receipts/admin-mailbox-contract.ts'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { CopyButton } from '#web/ui/button/copy-button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { Note } from '#web/ui/note.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { useMailboxForm } from './use-mailbox-form.ts'

const plain = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' } as const

/** The operator's OAuth client at a mail service, and the consent of the mailbox owner. */
export function MailboxConsent({ setting: { form, stored } }: { setting: ReturnType<typeof useMailboxForm> }) {
  const { field, register, watch } = form
  const connect = useSend(connectMailbox)
  const navigate = useNavigate()
  const isSaved = !form.isDirty && stored.value.login !== 'password'
  // The address is the operator's, from the settings.
  const open = () =>
    connect.mutate({}, { onSuccess: ({ address }) => void navigate({ href: address, reloadDocument: true }) })
  return (
    <fieldset className="grid gap-5">
      <legend className="font-semibold">OAuth client</legend>
      <p className="text-fg-2">
        Register an application at the mail service and enter its client here. It needs this redirect URI:
      </p>
      <p className="flex flex-wrap items-center gap-3">
        <code className="break-all">{stored.redirectUri}</code>
        <CopyButton text={stored.redirectUri} size="sm" what="redirect URI" />
      </p>
      <Field label="Client ID" {...field('clientId')}>
        <Input {...register('clientId')} {...plain} />
      </Field>
      <Field
        label={stored.clientSecretSet ? 'New client secret' : 'Client secret'}
        optional
        hint={
          stored.clientSecretSet
            ? 'A secret is set. It is stored encrypted and never shown. Leave this empty to keep it.'
            : 'Leave this empty if the mail service gave you none.'
        }
        {...field('clientSecret')}
      >
        <PasswordInput {...register('clientSecret')} autoComplete="off" />
      </Field>
      {watch('login') === 'other' && (
        <>
          <Field label="Authorization address" {...field('authorizeUrl')}>
            <Input {...register('authorizeUrl')} {...plain} />
          </Field>
          <Field label="Token address" {...field('exchangeUrl')}>
            <Input {...register('exchangeUrl')} {...plain} />
          </Field>
          <Field label="Scope" hint="The scopes for IMAP and for offline access." {...field('scope')}>
            <Input {...register('scope')} {...plain} />
          </Field>
        </>
      )}
      <div className="grid gap-3">
        <p>
          {stored.connectedAt ? (
            <>
              Connected since <DateText value={stored.connectedAt} />.
            </>
          ) : (
            'Not connected. The mailbox is read after you have connected the account.'
          )}
        </p>
        <div>
          <Button
            variant="line"
            pending={connect.isPending}
            aria-disabled={!isSaved}
            aria-describedby="mailbox-connect-hint"
            onClick={() => isSaved && open()}
          >
            {stored.connectedAt ? 'Connect Again' : 'Connect Account'}
          </Button>
        </div>
        <p id="mailbox-connect-hint" className="text-fg-2">
          {isSaved ? 'Opens the mail service, which sends you back here.' : 'Save the changes first.'}
        </p>
        {connect.error && <Note tone="bad">{messageOf(connect.error)}</Note>}
      </div>
    </fieldset>
  )
}
