import { useQuery } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { getTwoFactor } from '#features/two-factor/contract.ts'
import { query, useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { listPasskeys, type Passkey, passkeyRemoval, removePasskey } from '../contract.ts'

interface Props {
  passkey: Passkey
  returnTo: RefObject<HTMLElement | null>
}

/** Open on mount; remount it with a new key for every opening. */
export function RemovePasskeyDialog({ passkey, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const { data: twoFactor } = useQuery(query(getTwoFactor))
  const send = useSend(removePasskey, [listPasskeys])
  const form = useSchemaForm({
    schema: passkeyRemoval,
    id: 'remove-passkey',
    fields: ['currentPassword', 'code'],
    onFailure: (message) =>
      toast({ title: 'Failed to remove the passkey', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async (body) => {
    const { message } = await send.mutateAsync({ params: { passkeyId: passkey.id }, body })
    setOpen(false)
    toast({ title: 'Passkey removed', description: message })
  })
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId="remove-passkey"
      action="Remove Passkey"
      destructive
      pending={form.pending}
      title={`Remove ${passkey.name}?`}
      description="You can no longer log in with it. Your device may still suggest it, so delete it there too."
      keepOnOutsidePress
      returnTo={returnTo}
    >
      <form id="remove-passkey" noValidate className="grid gap-5 pb-2" onSubmit={submit}>
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field label="Current Password" hint="To confirm that it’s you." {...form.field('currentPassword')}>
          <PasswordInput {...form.register('currentPassword')} autoComplete="current-password" required />
        </Field>
        {twoFactor?.enabled && (
          <Field label="Code" hint="From your authenticator app, or a recovery code." {...form.field('code')}>
            <Input {...form.register('code')} autoComplete="one-time-code" spellCheck={false} required />
          </Field>
        )}
        {form.failure && form.problems.length === 0 && <Note tone="bad">{form.failure}</Note>}
      </form>
    </FormDialog>
  )
}
