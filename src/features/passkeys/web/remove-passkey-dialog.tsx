import { type RefObject, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { AlertDialog } from '#web/ui/alert-dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { listPasskeys, type Passkey, removePasskey } from '../contract.ts'

interface Props {
  passkey: Passkey
  returnTo: RefObject<HTMLElement | null>
}

/** Open from its first rendering, rendered anew for every opening. */
export function RemovePasskeyDialog({ passkey, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const { mutate, isPending } = useSend(removePasskey, [listPasskeys])
  const remove = () =>
    mutate({ params: { passkeyId: passkey.id } } as never, {
      onSuccess: ({ message }) => {
        setOpen(false)
        toast({ title: 'Passkey removed', description: message })
      },
      onError: (error) => toast({ title: 'Failed to remove the passkey', description: messageOf(error), variant: 'destructive' }),
    })
  return (
    <AlertDialog
      open={open}
      onOpenChange={setOpen}
      title={`Remove ${passkey.name}?`}
      description="It opens your account no more. Your device may go on offering it: remove it there too."
      action="Remove Passkey"
      pending={isPending}
      onConfirm={remove}
      returnTo={returnTo}
    />
  )
}
