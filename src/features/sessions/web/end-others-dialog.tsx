import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { endOtherSessions, listSessions } from '../contract.ts'

/** Open on mount; remount it with a new key for every opening. */
export function EndOthersDialog({ others }: { others: number }) {
  const [open, setOpen] = useState(true)
  const { mutate, isPending } = useSend(endOtherSessions, [listSessions])
  const confirm = () =>
    mutate({} as never, {
      onSuccess: ({ ended }) => {
        setOpen(false)
        toast({
          title: 'Logged out everywhere else',
          description: ended === 1 ? 'One other session has ended.' : `${ended} other sessions have ended.`,
        })
      },
      onError: (error) => toast({ title: 'Failed to log out', description: messageOf(error), variant: 'destructive' }),
    })
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={setOpen}
      title="Log out everywhere else?"
      description={`${others === 1 ? 'One other device' : `${others} other devices`} will have to log in again. This one stays logged in.`}
      action="Log Out Everywhere Else"
      pending={isPending}
      onConfirm={confirm}
    />
  )
}
