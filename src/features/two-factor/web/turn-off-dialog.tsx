import { type RefObject, useState } from 'react'
import { useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { cancelTwoFactor, getTwoFactor, passwordAndCode } from '../contract.ts'
import { PasswordAndCodeFields } from './password-and-code-fields.tsx'

/** Open on mount; remount it with a new key for every opening. */
export function TurnOffDialog({ returnTo }: { returnTo: RefObject<HTMLElement | null> }) {
  const [open, setOpen] = useState(true)
  const send = useSend(cancelTwoFactor, [getTwoFactor])
  const form = useSchemaForm({
    schema: passwordAndCode,
    id: 'turn-off',
    fields: ['currentPassword', 'code'],
    onFailure: (message) =>
      toast({ title: 'Failed to turn off two-step verification', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async (body) => {
    await send.mutateAsync({ body })
    setOpen(false)
    toast({ title: 'Two-step verification is off', description: 'Your password alone is now enough to log in.' })
  })
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId="turn-off"
      action="Turn Off"
      destructive
      pending={form.pending}
      title="Turn off two-step verification"
      description="Your password alone will be enough to log in, and your recovery codes will stop working."
      keepOnOutsidePress
      returnTo={returnTo}
    >
      <form id="turn-off" noValidate className="grid gap-5 pb-2" onSubmit={submit}>
        <PasswordAndCodeFields form={form} />
      </form>
    </FormDialog>
  )
}
