import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listUsers } from '#features/accounts/admin-contract.ts'
import { getCustomer } from '#features/customers/admin-contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { previewSubscriptionUndo, undoSubscriptionEdit } from '../admin-contract.ts'
import { EditOutcome } from './edit-outcome.tsx'

interface Props {
  user: { id: number; username: string }
  activationId: number
  /** Takes the focus when the dialog closes. */
  returnTo: () => HTMLElement | null
}

/** Confirms undoing an edit and shows the effect. Open on first render; give it a new key for each opening. */
export function UndoEditDialog({ user, activationId, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const outcome = useQuery({
    ...query(previewSubscriptionUndo, { params: { userId: user.id }, query: { activationId } }),
    staleTime: 0,
    gcTime: 0,
  })
  const { mutate, isPending } = useSend(undoSubscriptionEdit, [getCustomer, listUsers])
  const refusal = outcome.data?.refusal?.message ?? (outcome.error && messageOf(outcome.error))
  const undo = () => {
    if (!outcome.data || refusal) return
    mutate(
      { params: { userId: user.id }, body: { activationId } },
      {
        onSuccess: () => {
          setOpen(false)
          toast({ title: 'Edit undone', description: `${user.username}'s subscription is as it was before.` })
        },
        onError: (failure) => {
          toast({ title: 'Update Failed', description: messageOf(failure), variant: 'destructive' })
          void outcome.refetch()
        },
      },
    )
  }
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !isPending && setOpen(next)}
      title={`Undo this edit of ${user.username}'s subscription?`}
      description={`The subscription becomes what it was before the edit. ${user.username} gets an email about the change.`}
      action="Undo Edit"
      cancel="Keep as it is"
      pending={isPending}
      disabled={!outcome.data || Boolean(refusal)}
      returnTo={returnTo}
      onConfirm={undo}
    >
      <div role="status">
        {outcome.isPending && <p className="text-fg-2">Calculating the effect…</p>}
        {refusal && <Note tone="bad">{refusal}</Note>}
        {outcome.data && !refusal && <EditOutcome outcome={outcome.data} />}
      </div>
    </ConfirmDialog>
  )
}
