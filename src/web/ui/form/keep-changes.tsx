import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { AlertDialog } from '../alert-dialog.tsx'

/** While `when` holds, leaving asks first: within the site with our own question, out of it with the browser's. */
export function KeepChanges({ when }: { when: boolean }) {
  const { history } = useRouter()
  const [asked, setAsked] = useState<{ answer: (stays: boolean) => void }>()
  useEffect(() => {
    if (!when) return
    // The history's own block: the router's hook around it would weigh on every public page.
    return history.block({
      enableBeforeUnload: true,
      blockerFn: () => new Promise<boolean>((answer) => setAsked({ answer })),
    })
  }, [history, when])
  const decide = (stays: boolean) => {
    asked?.answer(stays)
    setAsked(undefined)
  }
  return (
    <AlertDialog
      open={asked !== undefined}
      onOpenChange={(open) => !open && decide(true)}
      title="Leave without saving?"
      description="What you changed here has not been saved yet."
      action="Leave"
      cancel="Stay"
      onConfirm={() => decide(false)}
    />
  )
}
