import { type RefObject, useState } from 'react'
import { useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { createPasskey, createPasskeyOptions, listPasskeys, newPasskey } from '../contract.ts'

const canceledMessage = 'Your device did not create a passkey. Please try again when you are ready.'

/** Open on mount; remount it with a new key for every opening. */
export function AddPasskeyDialog({ returnTo }: { returnTo: RefObject<HTMLElement | null> }) {
  const [open, setOpen] = useState(true)
  const [deviceError, setDeviceError] = useState<string>()
  const createOptions = useSend(createPasskeyOptions)
  const create = useSend(createPasskey, [listPasskeys])
  const form = useSchemaForm({
    schema: newPasskey,
    id: 'new-passkey',
    fields: ['name', 'currentPassword'],
    defaultValues: { name: 'My device', currentPassword: '' },
    onFailure: (message) => toast({ title: 'Failed to add a passkey', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async ({ name, currentPassword }) => {
    setDeviceError(undefined)
    const [{ startRegistration }, optionsJSON] = await Promise.all([
      import('@simplewebauthn/browser'),
      createOptions.mutateAsync({ body: { currentPassword } }),
    ])
    const created = await startRegistration({
      optionsJSON: optionsJSON as Parameters<typeof startRegistration>[0]['optionsJSON'],
    }).catch((error: Error) => {
      setDeviceError(
        error.name === 'InvalidStateError' ? 'This device already has a passkey for your account.' : canceledMessage,
      )
    })
    if (!created) return
    await create.mutateAsync({ body: { name, passkey: { id: created.id, response: created.response } } })
    setOpen(false)
    toast({ title: 'Passkey added', description: `You can now log in with ${name}.` })
  })
  const errorMessage = form.failure ?? deviceError
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId="new-passkey"
      action="Add Passkey"
      pending={form.pending}
      title="Add a passkey"
      description="Your device will ask for your fingerprint, face or PIN."
      keepOnOutsidePress
      returnTo={returnTo}
    >
      <form id="new-passkey" noValidate className="grid gap-5 pb-2" onSubmit={submit}>
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field label="Name" hint="Helps you tell your passkeys apart." {...form.field('name')}>
          <Input {...form.register('name')} autoComplete="off" required />
        </Field>
        <Field label="Current Password" hint="To confirm that it’s you." {...form.field('currentPassword')}>
          <PasswordInput {...form.register('currentPassword')} autoComplete="current-password" required />
        </Field>
        <div role="status" className="empty:hidden">
          {errorMessage && form.problems.length === 0 && <Note tone="bad">{errorMessage}</Note>}
        </div>
      </form>
    </FormDialog>
  )
}
