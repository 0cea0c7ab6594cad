import { useState } from 'react'
import { getCustomer } from '#features/customers/admin-contract.ts'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { resetTwoFactor } from '../admin-contract.ts'

/** Open on mount; remount it with a new key for every opening. */
export function ResetTwoFactorDialog({ user }: { user: { id: number; username: string } }) {
  const [open, setOpen] = useState(true)
  const { mutate, isPending } = useSend(resetTwoFactor, [getCustomer])
  const reset = () =>
    mutate({ params: { userId: user.id } } as never, {
      onSuccess: ({ message }) => {
        setOpen(false)
        toast({ title: 'Two-step verification reset', description: message })
      },
      onError: (error) => toast({ title: 'Reset failed', description: messageOf(error), variant: 'destructive' }),
    })
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={setOpen}
      title={`Reset ${user.username}’s two-step verification?`}
      description="For a user who lost their device and their recovery codes. Verify their identity first: afterwards the password alone is enough to log in. The user is logged out everywhere and notified by email."
      action="Reset Two-Step Verification"
      pending={isPending}
      onConfirm={reset}
    />
  )
}
