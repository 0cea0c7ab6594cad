import { Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { AlertDialog } from '#web/ui/alert-dialog.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import type { EntryForm } from './use-entry-form.ts'

interface Props {
  entry: EntryForm
  description?: ReactNode
  /** Why the entry cannot be deleted; the Delete button is not shown then. */
  undeletableReason?: string | false
  /** Gets the focus when the dialog closes. */
  returnTo: () => HTMLElement | null
  /** The form, with `id={entry.formId}`. */
  children: ReactNode
}

/** The dialog of a catalog entry: save, delete with confirmation, a warning before changes are lost, and a message when someone else has changed the entry. */
export function AdminEntryDialog({ entry, description, undeletableReason, returnTo, children }: Props) {
  const { noun, form, formId, open, setOpen, name, deleteEntry, isRemoving, showCurrent } = entry
  const [asks, setAsks] = useState<'to close' | 'to delete'>()
  const onOpenChange = (next: boolean) => {
    if (next || form.pending || isRemoving) return
    if (form.isDirty) setAsks('to close')
    else setOpen(false)
  }

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={name === null ? `Add ${noun}` : `Edit ${noun}`}
      description={description ?? name}
      size="form"
      keepOnOutsidePress={form.isDirty}
      returnTo={returnTo}
      footer={
        <>
          {form.failure && form.problems.length === 0 && (
            <Note
              tone="bad"
              role="alert"
              action={
                form.failureCode === 'stale' && (
                  <Button variant="line" size="sm" onClick={() => void showCurrent()}>
                    Show current version
                  </Button>
                )
              }
            >
              {form.failure}
            </Note>
          )}
          {name !== null && !undeletableReason && (
            <Button variant="ghost" className="mr-auto max-sm:mr-0" onClick={() => setAsks('to delete')}>
              <Trash2 size={18} /> Delete
            </Button>
          )}
          <Button variant="line" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button {...form.button} form={formId}>
            {name === null ? `Add ${noun}` : 'Save Changes'}
          </Button>
        </>
      }
    >
      {children}
      {undeletableReason && <p className="mt-5 text-sm text-fg-2">{undeletableReason}</p>}
      <AlertDialog
        open={asks === 'to close'}
        onOpenChange={(next) => !next && setAsks(undefined)}
        title="Discard your changes?"
        description="Your changes have not been saved."
        action="Discard"
        cancel="Keep editing"
        onConfirm={() => {
          setAsks(undefined)
          setOpen(false)
        }}
      />
      <AlertDialog
        open={asks === 'to delete'}
        onOpenChange={(next) => !next && !isRemoving && setAsks(undefined)}
        title={`Delete ${name}?`}
        description={`This cannot be undone. If you hide the ${noun} instead, you can show it again later.`}
        action={`Delete ${noun}`}
        pending={isRemoving}
        onConfirm={() => void deleteEntry().then(() => setAsks(undefined))}
      />
    </Dialog>
  )
}
