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
import { createLink, deviceName, type Link, listDevices } from '../contract.ts'
import { nameLength } from '../rules.ts'

/** Creates the credentials of a TV app and shows them once. Open on mount; remount it with a new key for every opening. */
export function AddAppDialog({ returnTo }: { returnTo: () => HTMLElement | null }) {
  const [open, setOpen] = useState(true)
  const [link, setLink] = useState<Link>()
  const send = useSend(createLink, [listDevices])
  const form = useSchemaForm({ schema: deviceName, id: 'app', fields: ['name'], defaultValues: { name: 'TV app' } })
  const submit = form.onSubmit(async (body) => setLink(await send.mutateAsync({ body })))
  const close = () => setOpen(false)
  return (
    <FormDialog
      open={open}
      onClose={close}
      formId="add-app"
      action="Create Login"
      pending={form.pending}
      title={link ? `Login for ${link.name}` : 'Add a TV app'}
      description={
        link
          ? 'Type these into the app. The password is shown only now.'
          : 'An app such as Kodi, VLC or TiviMate gets its own username and password, which you can remove at any time.'
      }
      keepOnOutsidePress
      returnTo={returnTo}
      footer={link && <Button onClick={close}>Done</Button>}
    >
      {link ? (
        <LinkFacts link={link} />
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

function LinkFacts({ link }: { link: Link }) {
  const facts = [
    ['Server', link.server],
    ['Username', link.username],
    ['Password', link.password],
    ['M3U playlist', link.playlistUrl],
    ['XMLTV guide', link.guideUrl],
  ] as const
  return (
    <div className="link-facts">
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
      <div className="link-qr">
        <QrCode text={link.playlistUrl} label="QR code of the M3U playlist" />
      </div>
    </div>
  )
}
