import { type RefObject, useState } from 'react'
import { useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/form/form-dialog.tsx'
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
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId="switch-off"
      action="Turn Off"
      destructive
      pending={form.pending}
      title="Turn off two-step verification"
      description="Your password alone will open your account, and your recovery codes are worth nothing any more."
      keepOnOutsidePress
      returnTo={returnTo}
    >
      <form id="switch-off" noValidate className="grid gap-5 pb-2" onSubmit={submit}>
        <BothFields form={form} />
      </form>
    </FormDialog>
  )
}
