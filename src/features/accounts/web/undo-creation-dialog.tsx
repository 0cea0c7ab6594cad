import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { type AdminUser, listUsers, previewUndoCreation, undoCreateCustomer } from '../admin-contract.ts'

interface Props {
  user: Pick<AdminUser, 'id' | 'username'>
  /** Takes the focus when the dialog closes. */
  returnTo: () => HTMLElement | null
}

/** Confirms removing an account that an administrator created. Open on first render; give it a new key for each opening. */
export function UndoCreationDialog({ user, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const navigate = useNavigate()
  const preview = useQuery({
    ...query(previewUndoCreation, { params: { userId: user.id } }),
    enabled: open,
    staleTime: 0,
    gcTime: 0,
  })
  const { mutate, isPending } = useSend(undoCreateCustomer, [listUsers])
  const refusal = preview.data?.refusal ?? (preview.error && messageOf(preview.error))
  const undo = () =>
    mutate(
      { params: { userId: user.id } },
      {
        onSuccess: () => {
          setOpen(false)
          toast({ title: 'Account removed', description: `${user.username} can be created again.` })
          void navigate({ to: '/admin' })
        },
        onError: (failure) => {
          toast({ title: 'Nothing was removed', description: messageOf(failure), variant: 'destructive' })
          void preview.refetch()
        },
      },
    )
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !isPending && setOpen(next)}
      title={`Remove the account ${user.username}?`}
      description="Name and email address are erased, and the link in the email to the customer no longer works."
      action="Remove Account"
      cancel="Keep as it is"
      pending={isPending}
      disabled={!preview.data || Boolean(refusal)}
      returnTo={returnTo}
      onConfirm={undo}
    >
      <div role="status">
        {preview.isPending && <p className="text-fg-2">Checking whether the account is in use…</p>}
        {refusal && <Note tone="bad">{refusal}</Note>}
        {preview.data && !refusal && <p>The account is not in use.</p>}
      </div>
    </ConfirmDialog>
  )
}
