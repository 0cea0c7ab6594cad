import { useState } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import type { ImportRun } from '../admin-contract.ts'
import type { ImportKind } from '../rules.ts'

interface Props {
  run: ImportRun
  pending: boolean
  removing: boolean
  onApply: () => void
  onUndo: () => void
  onEmail: () => void
  onRemove: () => void
}

const texts: Record<ImportKind, { one: string; many: string; apply: string; undo: (things: string) => string }> = {
  customers: {
    one: 'Customer',
    many: 'Customers',
    apply:
      'They get their credit, paid time and lines. No email is sent and no panel is called. You can undo the import until one of the accounts is used.',
    undo: (things) =>
      `Removes ${things} with their credit, paid time and lines here. Nothing changes on the panel. If any of the accounts was used, nothing is removed.`,
  },
  invoices: {
    one: 'Invoice',
    many: 'Invoices',
    apply:
      'Their customers can read them as earlier invoices. No figure, credit or subscription changes, and no email is sent. You can undo the import at any time.',
    undo: (things) => `Removes ${things} that were imported from the other system. Nothing else changes.`,
  },
}

/** The actions that the state of an import allows: create, continue, email, undo, delete. */
export function ImportActions({ run, pending, removing, onApply, onUndo, onEmail, onRemove }: Props) {
  const { state, counts, name, emailsSince, kind } = run
  const { one, many, ...text } = texts[kind]
  const things = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
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
          {state === 'checked' ? `Create ${things(counts.create)}` : 'Continue Import'}
        </Button>
      )}
      {state === 'applied' && emailsSince === null && counts.created > 0 && kind === 'customers' && (
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
        title={`Create ${things(counts.create)}?`}
        description={text.apply}
        action="Create"
        destructive={false}
        onConfirm={confirm(onApply)}
      />
      <ConfirmDialog
        open={asks === 'email'}
        onOpenChange={(open) => !open && setAsks(undefined)}
        title={`Email ${things(counts.created).toLowerCase()}?`}
        description="Each customer gets one email that says how to log in here: with the previous password, or by choosing a new one. 30 emails are sent per minute. Customers who have already logged in get no email."
        action="Send Emails"
        destructive={false}
        onConfirm={confirm(onEmail)}
      />
      <ConfirmDialog
        open={asks === 'undo'}
        onOpenChange={(open) => !open && setAsks(undefined)}
        title={`Undo ${name}?`}
        description={text.undo(things(counts.created).toLowerCase())}
        action="Undo Import"
        onConfirm={confirm(onUndo)}
      />
    </div>
  )
}
