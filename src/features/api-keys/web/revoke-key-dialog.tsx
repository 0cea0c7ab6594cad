import { useState } from 'react'
import { useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { type ApiKey, apiKeyRevocation, listApiKeys, revokeApiKey } from '../admin-contract.ts'
import { ProofFields } from './proof-fields.tsx'

const id = 'revoke-api-key'

/** Revokes an API key after the owner has entered the password. */
export function RevokeKeyDialog({ apiKey, returnTo }: { apiKey: ApiKey; returnTo: () => HTMLElement | null }) {
  const [open, setOpen] = useState(true)
  const send = useSend(revokeApiKey, [listApiKeys])
  const form = useSchemaForm({
    schema: apiKeyRevocation,
    id,
    fields: ['currentPassword', 'code'],
    defaultValues: { currentPassword: '', code: '' },
  })
  const submit = form.onSubmit(async ({ code, ...rest }) => {
    await send.mutateAsync({ params: { apiKeyId: apiKey.id }, body: { ...rest, ...(code && { code }) } })
    setOpen(false)
    toast({ title: 'API key revoked', description: `${apiKey.name} is no longer accepted.` })
  })
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={`${id}-form`}
      title={`Revoke ${apiKey.name}?`}
      description="Programs that use this key lose access immediately. This cannot be undone."
      action="Revoke Key"
      destructive
      pending={form.pending}
      error={form.failure && form.problems.length === 0 ? { message: form.failure } : undefined}
      returnTo={returnTo}
    >
      <form id={`${id}-form`} onSubmit={submit} noValidate className="grid gap-4">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <ProofFields form={form} />
      </form>
    </FormDialog>
  )
}
