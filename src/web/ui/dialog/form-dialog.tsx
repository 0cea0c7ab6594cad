import { type ComponentProps, type ReactNode, useState } from 'react'
import { Button } from '../button/button.tsx'
import { FormError } from '../form/form-error.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Dialog } from './dialog.tsx'

interface Props
  extends Pick<
    ComponentProps<typeof Dialog>,
    'title' | 'description' | 'sheet' | 'fixedHeight' | 'initialFocus' | 'returnTo' | 'alert'
  > {
  open: boolean
  onClose: () => void
  /** The id of the form. The submit button is outside of the form and refers to it. */
  formId: string
  /** The label of the submit button. */
  action: ReactNode
  /** The label of the button that closes the dialog. */
  cancel?: ReactNode
  /** The action removes or revokes something: the submit button is red. */
  destructive?: boolean
  /** The action is not possible. */
  disabled?: boolean
  pending: boolean
  /** The form has unsaved changes: with `unsavedChanges` closing asks for confirmation, and a click outside does nothing. */
  dirty?: boolean
  /** Names the changes that would be lost: "Nothing has been saved for lenavogt's report yet." */
  unsavedChanges?: string
  /** A click outside does nothing, even without changes. */
  keepOnOutsidePress?: boolean
  /** The error shown beside the buttons. */
  error?: ComponentProps<typeof FormError> | false | undefined
  /** A further button before Cancel. */
  extra?: ReactNode
  /** Replaces all buttons, for a step without a form. */
  footer?: ReactNode
  size?: 'form' | 'wide'
  /** The form with that id. */
  children: ReactNode
}

/** A dialog with one form. It asks before unsaved changes are lost. Import it from a lazily loaded module, like Dialog. */
export function FormDialog({
  open,
  onClose,
  formId,
  action,
  cancel = 'Cancel',
  destructive = false,
  disabled,
  pending,
  dirty = false,
  unsavedChanges,
  keepOnOutsidePress = dirty,
  error,
  extra,
  footer,
  size = 'form',
  children,
  ...dialog
}: Props) {
  const [isConfirming, setConfirming] = useState(false)
  const close = () => {
    if (pending) return
    if (dirty && unsavedChanges) setConfirming(true)
    else onClose()
  }
  return (
    <Dialog
      {...dialog}
      open={open}
      onOpenChange={(next) => !next && close()}
      size={size}
      keepOnOutsidePress={keepOnOutsidePress}
      footer={
        footer || (
          <>
            {error && <FormError {...error} />}
            {extra}
            <Button variant="line" onClick={close}>
              {cancel}
            </Button>
            <Button
              type="submit"
              form={formId}
              variant={destructive ? 'destructive' : 'primary'}
              pending={pending}
              disabled={disabled}
              className="disabled:opacity-100"
            >
              {action}
            </Button>
          </>
        )
      }
    >
      {children}
      {unsavedChanges && (
        <ConfirmDialog
          open={isConfirming}
          onOpenChange={setConfirming}
          title="Discard your changes?"
          description={unsavedChanges}
          action="Discard"
          cancel="Keep editing"
          onConfirm={() => {
            setConfirming(false)
            onClose()
          }}
        />
      )}
    </Dialog>
  )
}
