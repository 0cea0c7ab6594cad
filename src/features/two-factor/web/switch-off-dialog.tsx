import { type RefObject, useState } from 'react'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast.ts'
import { cancelTwoFactor, getTwoFactor, passwordAndCode } from '../contract.ts'
import { BothFields } from './both-fields.tsx'

/** Open from its first rendering, rendered anew for every opening. */
export function SwitchOffDialog({ returnTo }: { returnTo: RefObject<HTMLElement | null> }) {
  const [open, setOpen] = useState(true)
  const send = useSend(cancelTwoFactor, [getTwoFactor])
  const form = useSchemaForm({
    schema: passwordAndCode,
    id: 'switch-off',
    fields: ['currentPassword', 'code'],
    onFailure: (message) => toast({ title: 'Failed to turn it off', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async (body) => {
    await send.mutateAsync({ body })
    setOpen(false)
    toast({ title: 'Two-step verification is off', description: 'Your password alone opens your account now.' })
  })
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !form.pending && setOpen(next)}
      title="Turn off two-step verification"
      description="Your password alone will open your account, and your recovery codes are worth nothing any more."
      size="form"
      keepOnOutsidePress
      returnTo={returnTo}
      footer={
        <>
          <Button variant="line" onClick={() => !form.pending && setOpen(false)}>
            Cancel
          </Button>
          <Button {...form.button} variant="destructive" form="switch-off">
            Turn Off
          </Button>
        </>
      }
    >
      <form id="switch-off" noValidate className="grid gap-5 pb-2" onSubmit={submit}>
        <BothFields form={form} />
      </form>
    </Dialog>
  )
}
