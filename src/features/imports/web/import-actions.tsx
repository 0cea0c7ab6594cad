import { useState } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import type { ImportRun } from '../admin-contract.ts'

interface Props {
  run: ImportRun
  pending: boolean
  removing: boolean
  onApply: () => void
  onUndo: () => void
  onEmail: () => void
  onRemove: () => void
}

const customers = (count: number) => (count === 1 ? '1 Customer' : `${count.toLocaleString('en-US')} Customers`)

/** What can be done with an import in its state: create, continue, undo, delete. */
export function ImportActions({ run, pending, removing, onApply, onUndo, onEmail, onRemove }: Props) {
  const { state, counts, name, emailsSince } = run
  const [asks, setAsks] = useState<'apply' | 'undo' | 'email'>()
  const isOpen = state === 'checked' || state === 'applying'
  const canUndo = counts.created > 0 && (state === 'applied' || state === 'applying' || state === 'undoing')
  const confirm = (act: () => void) => () => {
    setAsks(undefined)
    act()
  }
  if (!isOpen && !canUndo) return null
  return (
    <div className="flex flex-wrap gap-3">
      {isOpen && (counts.create > 0 || state === 'applying') && (
        <Button
          variant="primary"
          pending={pending}
          onClick={() => (state === 'checked' ? setAsks('apply') : onApply())}
        >
          {state === 'checked' ? `Create ${customers(counts.create)}` : 'Continue Import'}
        </Button>
      )}
      {state === 'applied' && emailsSince === null && counts.created > 0 && (
        <Button variant="line" disabled={pending} onClick={() => setAsks('email')}>
          Email Customers
        </Button>
      )}
      {canUndo && (
        <Button variant="line" disabled={pending} onClick={() => (state === 'undoing' ? onUndo() : setAsks('undo'))}>
          {state === 'undoing' ? 'Continue Undo' : 'Undo Import'}
        </Button>
      )}
      {state === 'checked' && (
        <Button variant="line" disabled={pending} pending={removing} onClick={onRemove}>
          Delete This Import
        </Button>
      )}
      <ConfirmDialog
        open={asks === 'apply'}
        onOpenChange={(open) => !open && setAsks(undefined)}
        title={`Create ${customers(counts.create)}?`}
        description="They get their credit, paid time and lines. No email is sent and no panel is called. You can undo the import until one of the accounts is used."
        action="Create"
        destructive={false}
        onConfirm={confirm(onApply)}
      />
      <ConfirmDialog
        open={asks === 'email'}
        onOpenChange={(open) => !open && setAsks(undefined)}
        title={`Email ${customers(counts.created).toLowerCase()}?`}
        description="Each gets one email that says how to log in here: with the previous password, or by choosing one. 30 emails are sent a minute. Customers who have logged in get none."
        action="Send Emails"
        destructive={false}
        onConfirm={confirm(onEmail)}
      />
      <ConfirmDialog
        open={asks === 'undo'}
        onOpenChange={(open) => !open && setAsks(undefined)}
        title={`Undo ${name}?`}
        description={`Removes ${customers(counts.created).toLowerCase()} with their credit, paid time and lines here. Nothing changes on the panel. If any of them is in use, nothing is removed.`}
        action="Undo Import"
        onConfirm={confirm(onUndo)}
      />
    </div>
  )
}
