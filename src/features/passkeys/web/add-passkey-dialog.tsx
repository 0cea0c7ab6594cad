import { type RefObject, useState } from 'react'
import { useSend } from '#web/data.ts'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormDialog } from '#web/ui/form/form-dialog.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast.ts'
import { createPasskey, createPasskeyOptions, listPasskeys, newPasskey } from '../contract.ts'

const cancelled = 'Your device did not make a passkey. Please try again when you are ready.'

/** Open from its first rendering, rendered anew for every opening. */
export function AddPasskeyDialog({ returnTo }: { returnTo: RefObject<HTMLElement | null> }) {
  const [open, setOpen] = useState(true)
  const [turnedAway, setTurnedAway] = useState<string>()
  const ask = useSend(createPasskeyOptions)
  const create = useSend(createPasskey, [listPasskeys])
  const form = useSchemaForm({
    schema: newPasskey,
    id: 'new-passkey',
    fields: ['name', 'currentPassword'],
    defaultValues: { name: 'My device', currentPassword: '' },
    onFailure: (message) => toast({ title: 'Failed to add a passkey', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async ({ name, currentPassword }) => {
    setTurnedAway(undefined)
    const [{ startRegistration }, optionsJSON] = await Promise.all([
      import('@simplewebauthn/browser'),
      ask.mutateAsync({ body: { currentPassword } }),
    ])
    const made = await startRegistration({
      optionsJSON: optionsJSON as Parameters<typeof startRegistration>[0]['optionsJSON'],
    }).catch((error: Error) => {
      setTurnedAway(
        error.name === 'InvalidStateError' ? 'This device has a passkey for your account already.' : cancelled,
      )
    })
    if (!made) return
    await create.mutateAsync({ body: { name, passkey: { id: made.id, response: made.response } } })
    setOpen(false)
    toast({ title: 'Passkey added', description: `You can log in with ${name} now.` })
  })
  const trouble = form.failure ?? turnedAway
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
        <Field label="Name" hint="So that you know which one it is." {...form.field('name')}>
          <Input {...form.register('name')} autoComplete="off" required />
        </Field>
        <Field label="Current Password" hint="To be sure that it is you." {...form.field('currentPassword')}>
          <PasswordInput {...form.register('currentPassword')} autoComplete="current-password" required />
        </Field>
        <div role="status" className="empty:hidden">
          {trouble && form.problems.length === 0 && <Note tone="bad">{trouble}</Note>}
        </div>
      </form>
    </FormDialog>
  )
}
