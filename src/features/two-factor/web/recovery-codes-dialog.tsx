import { type RefObject, useState } from 'react'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { createRecoveryCodes, getTwoFactor, passwordAndCode } from '../contract.ts'
import { PasswordAndCodeFields } from './password-and-code-fields.tsx'
import { RecoveryCodeList } from './recovery-code-list.tsx'

/** Open on mount; remount it with a new key for every opening. */
export function RecoveryCodesDialog({ returnTo }: { returnTo: RefObject<HTMLElement | null> }) {
  const [open, setOpen] = useState(true)
  const [codes, setCodes] = useState<string[]>()
  const send = useSend(createRecoveryCodes, [getTwoFactor])
  const form = useSchemaForm({
    schema: passwordAndCode,
    id: 'new-codes',
    fields: ['currentPassword', 'code'],
    onFailure: (message) =>
      toast({ title: 'Failed to generate new codes', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async (body) => {
    const { recoveryCodes } = await send.mutateAsync({ body })
    setCodes(recoveryCodes)
    toast({ title: 'New recovery codes', description: 'Your old codes no longer work.' })
  })
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId="new-codes"
      action="Generate New Codes"
      pending={form.pending}
      title={codes ? 'Save your recovery codes' : 'New recovery codes'}
      description={
        codes ? 'These ten codes replace all earlier ones.' : 'You get ten new codes. The old ones will stop working.'
      }
      keepOnOutsidePress
      returnTo={returnTo}
      footer={codes && <Button onClick={() => setOpen(false)}>I’ve Saved Them</Button>}
    >
      {codes ? (
        <RecoveryCodeList codes={codes} />
      ) : (
        <form id="new-codes" noValidate className="grid gap-5 pb-2" onSubmit={submit}>
          <PasswordAndCodeFields form={form} />
        </form>
      )}
    </FormDialog>
  )
}
