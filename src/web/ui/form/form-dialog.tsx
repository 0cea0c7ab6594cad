import { type ComponentProps, type ReactNode, useState } from 'react'
import { AlertDialog } from '../alert-dialog.tsx'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { DialogError } from './dialog-error.tsx'

interface Props {
  open: boolean
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  /** The id of the form. The submit button is outside of the form and refers to it. */
  formId: string
  /** The label of the submit button. */
  action: ReactNode
  /** The form has unsaved changes: closing asks for confirmation, and a click outside does nothing. */
  dirty: boolean
  pending: boolean
  /** Names the changes that would be lost: "Nothing has been saved for lenavogt's report yet." */
  loss: string
  /** The error shown beside the buttons. */
  trouble?: ComponentProps<typeof DialogError> | undefined
  size?: 'form' | 'wide'
  /** Gets the focus when the dialog closes. */
  returnTo: () => HTMLElement | null
  /** The form with that id. */
  children: ReactNode
}

/** A dialog with one form. It asks before unsaved changes are lost. Import it from a lazily loaded module, as Dialog. */
export function FormDialog({
  open,
  onClose,
  title,
  description,
  formId,
  action,
  dirty,
  pending,
  loss,
  trouble,
  size = 'form',
  returnTo,
  children,
}: Props) {
  const [asks, setAsks] = useState(false)
  const close = () => {
    if (pending) return
    if (dirty) setAsks(true)
    else onClose()
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      title={title}
      description={description}
      size={size}
      keepOnOutsidePress={dirty}
      returnTo={returnTo}
      footer={
        <>
          {trouble && <DialogError {...trouble} />}
          <Button variant="line" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={formId} pending={pending}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title="Discard your changes?"
        description={loss}
        action="Discard"
        cancel="Keep editing"
        onConfirm={() => {
          setAsks(false)
          onClose()
        }}
      />
    </Dialog>
  )
}
