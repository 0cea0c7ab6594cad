import { useState } from 'react'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { CopyButton } from '#web/ui/button/copy-button.tsx'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { type AppLogin, createAppLogin, deviceName, listDevices } from '../contract.ts'
import { nameLength } from '../rules.ts'

/** A dialog that creates the credentials of a TV app and shows them once. Open on first render; give it a new key for each opening. */
export function AddAppDialog({ returnTo }: { returnTo: () => HTMLElement | null }) {
  const [open, setOpen] = useState(true)
  const [login, setLogin] = useState<AppLogin>()
  const send = useSend(createAppLogin, [listDevices])
  const form = useSchemaForm({ schema: deviceName, id: 'app', fields: ['name'], defaultValues: { name: 'TV app' } })
  const submit = form.onSubmit(async (body) => setLogin(await send.mutateAsync({ body })))
  const close = () => setOpen(false)
  return (
    <FormDialog
      open={open}
      onClose={close}
      formId="add-app"
      action="Create Login"
      pending={form.pending}
      title={login ? `Login for ${login.name}` : 'Add a TV app'}
      description={
        login
          ? 'Enter these details in the app. The password is not shown again.'
          : 'An app such as Kodi, VLC or TiviMate gets its own username and password, which you can remove at any time.'
      }
      sheet
      keepOnOutsidePress
      returnTo={returnTo}
      footer={login && <Button onClick={close}>Done</Button>}
    >
      {login ? (
        <LoginFacts login={login} />
      ) : (
        <form id="add-app" noValidate className="grid gap-5 pb-2" onSubmit={submit}>
          <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
          <Field label="Name" hint="For example, “Kodi in the kitchen”." {...form.field('name')}>
            <Input {...form.register('name')} autoComplete="off" maxLength={nameLength} required />
          </Field>
          {form.failure && form.problems.length === 0 && <Note tone="bad">{form.failure}</Note>}
        </form>
      )}
    </FormDialog>
  )
}

function LoginFacts({ login }: { login: AppLogin }) {
  const facts = [
    ['Server', login.server],
    ['Username', login.username],
    ['Password', login.password],
    ['M3U playlist', login.playlistUrl],
    ['XMLTV guide', login.guideUrl],
  ] as const
  return (
    <div className="app-login">
      <dl>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <code className="wrap-anywhere">{value}</code>
              <CopyButton text={value} what={label} size="sm" />
            </dd>
          </div>
        ))}
      </dl>
      <div className="app-login-qr">
        <QrCode text={login.playlistUrl} label="QR code of the M3U playlist" />
      </div>
    </div>
  )
}
