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
  onRemove: () => void
}

const customers = (count: number) => (count === 1 ? '1 Customer' : `${count.toLocaleString('en-US')} Customers`)

/** What can be done with an import in its state: create, continue, undo, delete. */
export function ImportActions({ run: { state, counts, name }, pending, removing, onApply, onUndo, onRemove }: Props) {
  const [asks, setAsks] = useState<'apply' | 'undo'>()
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
      {canUndo && (
        <Button variant="line" disabled={pending} onClick={() => (state === 'undoing' ? onUndo() : setAsks('undo'))}>
          {state === 'undoing' ? 'Continue Undo' : 'Undo Import'}
        </Button>
      )}
      {state === 'checked' && (
        <Button variant="line" disabled={pending} pending={removing} onClick={onRemove}>
          Delete This Check
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
