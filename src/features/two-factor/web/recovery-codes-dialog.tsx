import { type RefObject, useState } from 'react'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button.tsx'
import { FormDialog } from '#web/ui/form/form-dialog.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast.ts'
import { createRecoveryCodes, getTwoFactor, passwordAndCode } from '../contract.ts'
import { BothFields } from './both-fields.tsx'
import { RecoveryCodeList } from './recovery-code-list.tsx'

/** Open from its first rendering, rendered anew for every opening. */
export function RecoveryCodesDialog({ returnTo }: { returnTo: RefObject<HTMLElement | null> }) {
  const [open, setOpen] = useState(true)
  const [codes, setCodes] = useState<string[]>()
  const send = useSend(createRecoveryCodes, [getTwoFactor])
  const form = useSchemaForm({
    schema: passwordAndCode,
    id: 'new-codes',
    fields: ['currentPassword', 'code'],
    onFailure: (message) => toast({ title: 'Failed to draw new codes', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async (body) => {
    const { recoveryCodes } = await send.mutateAsync({ body })
    setCodes(recoveryCodes)
    toast({ title: 'New recovery codes', description: 'The old ones are worth nothing any more.' })
  })
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId="new-codes"
      action="Draw New Codes"
      pending={form.pending}
      title={codes ? 'Keep your recovery codes' : 'New recovery codes'}
      description={
        codes ? 'These ten replace all earlier ones.' : 'Ten new codes; the old ones will be worth nothing any more.'
      }
      keepOnOutsidePress
      returnTo={returnTo}
      footer={codes && <Button onClick={() => setOpen(false)}>I Have Kept Them</Button>}
    >
      {codes ? (
        <RecoveryCodeList codes={codes} />
      ) : (
        <form id="new-codes" noValidate className="grid gap-5 pb-2" onSubmit={submit}>
          <BothFields form={form} />
        </form>
      )}
    </FormDialog>
  )
}
