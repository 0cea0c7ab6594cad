import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ConfirmDialog } from '../dialog/confirm-dialog.tsx'

/** While `when` is true, leaving the page asks for confirmation: our dialog for a page of this site, the browser's dialog otherwise. */
export function UnsavedChangesGuard({ when }: { when: boolean }) {
  const { history } = useRouter()
  const [pendingNavigation, setAsked] = useState<{ answer: (stays: boolean) => void }>()
  useEffect(() => {
    if (!when) return
    // Uses `history.block` directly: the router's hook would add to the script of every public page.
    return history.block({
      enableBeforeUnload: true,
      blockerFn: () => new Promise<boolean>((answer) => setAsked({ answer })),
    })
  }, [history, when])
  const decide = (stays: boolean) => {
    pendingNavigation?.answer(stays)
    setAsked(undefined)
  }
  return (
    <ConfirmDialog
      open={pendingNavigation !== undefined}
      onOpenChange={(open) => !open && decide(true)}
      title="Leave without saving?"
      description="Your changes have not been saved."
      action="Leave"
      cancel="Stay"
      onConfirm={() => decide(false)}
    />
  )
}
