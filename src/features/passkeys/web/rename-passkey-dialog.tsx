import { type RefObject, useState } from 'react'
import { useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { listPasskeys, type Passkey, passkeyName, updatePasskey } from '../contract.ts'

interface Props {
  passkey: Passkey
  returnTo: RefObject<HTMLElement | null>
}

/** Open on mount; remount it with a new key for every opening. */
export function RenamePasskeyDialog({ passkey, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const send = useSend(updatePasskey, [listPasskeys])
  const form = useSchemaForm({
    schema: passkeyName,
    id: 'passkey',
    fields: ['name'],
    defaultValues: { name: passkey.name },
    onFailure: (message) =>
      toast({ title: 'Failed to rename the passkey', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async (body) => {
    await send.mutateAsync({ params: { passkeyId: passkey.id }, body })
    setOpen(false)
    toast({ title: 'Passkey renamed', description: `It is now called ${body.name}.` })
  })
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId="rename-passkey"
      action="Rename"
      pending={form.pending}
      title="Rename passkey"
      keepOnOutsidePress
      returnTo={returnTo}
    >
      <form id="rename-passkey" noValidate className="grid gap-5 pb-2" onSubmit={submit}>
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field label="Name" {...form.field('name')}>
          <Input {...form.register('name')} autoComplete="off" required />
        </Field>
        {form.failure && form.problems.length === 0 && <Note tone="bad">{form.failure}</Note>}
      </form>
    </FormDialog>
  )
}
