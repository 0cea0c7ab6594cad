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
  /** The id of the form inside: the button that sends it stands outside of it. */
  formId: string
  /** The verb on that button. */
  action: ReactNode
  /** Something was changed: closing asks first, a press outside does nothing. */
  dirty: boolean
  pending: boolean
  /** Whose changes would be lost: "Nothing has been saved for lenavogt's report yet." */
  loss: string
  /** What stands in the way, said beside the buttons. */
  trouble?: ComponentProps<typeof DialogError> | undefined
  size?: 'form' | 'wide'
  /** Takes the focus when the dialog closes. */
  returnTo: () => HTMLElement | null
  /** The form with that id. */
  children: ReactNode
}

/** A dialog around one form that loses nothing by accident. Import it from a lazily loaded file, as Dialog. */
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
