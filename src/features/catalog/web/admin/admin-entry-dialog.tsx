import { Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
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
  const [isDeleting, setDeleting] = useState(false)

  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      title={name === null ? `Add ${noun}` : `Edit ${noun}`}
      description={description ?? name}
      formId={formId}
      action={name === null ? `Add ${noun}` : 'Save Changes'}
      dirty={form.isDirty}
      unsavedChanges="Your changes have not been saved."
      pending={form.pending}
      error={
        form.failure && form.problems.length === 0
          ? { message: form.failure, onReload: form.failureCode === 'stale' ? showCurrent : undefined }
          : undefined
      }
      extra={
        name !== null &&
        !undeletableReason && (
          <Button variant="ghost" className="mr-auto max-sm:mr-0" onClick={() => setDeleting(true)}>
            <Trash2 size={18} /> Delete
          </Button>
        )
      }
      returnTo={returnTo}
    >
      {children}
      {undeletableReason && <p className="mt-5 text-sm text-fg-2">{undeletableReason}</p>}
      <ConfirmDialog
        open={isDeleting}
        onOpenChange={(next) => !next && !isRemoving && setDeleting(false)}
        title={`Delete ${name}?`}
        description={`This cannot be undone. If you hide the ${noun} instead, you can show it again later.`}
        action={`Delete ${noun}`}
        pending={isRemoving}
        onConfirm={() => void deleteEntry().then(() => setDeleting(false))}
      />
    </FormDialog>
  )
}
