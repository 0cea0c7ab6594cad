import { type RefObject, useState } from 'react'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast.ts'
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
    <Dialog
      open={open}
      onOpenChange={(next) => !form.pending && setOpen(next)}
      title="Turn off two-step verification"
      description="Your password alone will be enough to log in, and your recovery codes will stop working."
      size="form"
      keepOnOutsidePress
      returnTo={returnTo}
      footer={
        <>
          <Button variant="line" onClick={() => !form.pending && setOpen(false)}>
            Cancel
          </Button>
          <Button {...form.button} variant="destructive" form="turn-off">
            Turn Off
          </Button>
        </>
      }
    >
      <form id="turn-off" noValidate className="grid gap-5 pb-2" onSubmit={submit}>
        <PasswordAndCodeFields form={form} />
      </form>
    </Dialog>
  )
}
