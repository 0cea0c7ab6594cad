import { type RefObject, useState } from 'react'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { codeOnly, confirmTwoFactor, createTwoFactor, getTwoFactor, passwordOnly } from '../contract.ts'
import { ConfirmFields } from './confirm-fields.tsx'
import { PasswordFields } from './password-fields.tsx'
import { RecoveryCodeList } from './recovery-code-list.tsx'

const descriptions = {
  password: 'First enter your password, to confirm that it’s you.',
  app: 'Scan this with an authenticator app, then enter the code it shows.',
  codes: 'Two-step verification is on.',
}

/** Asks for the password, shows the secret, checks the first code and shows the recovery codes. Open on mount; remount it with a new key for every opening. */
export function SetUpDialog({ returnTo }: { returnTo: RefObject<HTMLElement | null> }) {
  const [open, setOpen] = useState(true)
  const [secret, setSecret] = useState<{ secret: string; address: string }>()
  const [codes, setCodes] = useState<string[]>()
  const create = useSend(createTwoFactor)
  const confirm = useSend(confirmTwoFactor, [getTwoFactor])
  const onFailure = (message: string) =>
    toast({ title: 'Failed to set up two-step verification', description: message, variant: 'destructive' })
  const password = useSchemaForm({ schema: passwordOnly, id: 'two-factor', fields: ['currentPassword'], onFailure })
  const code = useSchemaForm({ schema: codeOnly, id: 'two-factor', fields: ['code'], onFailure })
  const begin = password.onSubmit(async (body) => setSecret(await create.mutateAsync({ body })))
  const finish = code.onSubmit(async (body) => {
    const { recoveryCodes } = await confirm.mutateAsync({ body })
    setCodes(recoveryCodes)
    toast({
      title: 'Two-step verification is on',
      description: 'Logging in with your password now also requires a code from your authenticator app.',
    })
  })
  const step = codes ? 'codes' : secret ? 'app' : 'password'
  const form = step === 'app' ? code : password

  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={`two-factor-${step}`}
      action={step === 'app' ? 'Turn On' : 'Continue'}
      pending={form.pending}
      title={step === 'codes' ? 'Save your recovery codes' : 'Set up two-step verification'}
      description={descriptions[step]}
      keepOnOutsidePress
      returnTo={returnTo}
      footer={step === 'codes' && <Button onClick={() => setOpen(false)}>I’ve Saved Them</Button>}
    >
      {step === 'password' && (
        <form id="two-factor-password" noValidate className="grid gap-5 pb-2" onSubmit={begin}>
          <PasswordFields form={password} />
        </form>
      )}
      {step === 'app' && secret && (
        <form id="two-factor-app" noValidate className="grid gap-5 pb-2" onSubmit={finish}>
          <ConfirmFields form={code} {...secret} />
        </form>
      )}
      {codes && <RecoveryCodeList codes={codes} />}
    </FormDialog>
  )
}
