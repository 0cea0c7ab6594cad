import { type RefObject, useState } from 'react'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast.ts'
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
    <Dialog
      open={open}
      onOpenChange={(next) => !form.pending && setOpen(next)}
      title="Rename passkey"
      size="form"
      keepOnOutsidePress
      returnTo={returnTo}
      footer={
        <>
          <Button variant="line" onClick={() => !form.pending && setOpen(false)}>
            Cancel
          </Button>
          <Button {...form.button} form="rename-passkey">
            Rename
          </Button>
        </>
      }
    >
      <form id="rename-passkey" noValidate className="grid gap-5 pb-2" onSubmit={submit}>
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field label="Name" {...form.field('name')}>
          <Input {...form.register('name')} autoComplete="off" required />
        </Field>
        {form.failure && form.problems.length === 0 && <Note tone="bad">{form.failure}</Note>}
      </form>
    </Dialog>
  )
}
