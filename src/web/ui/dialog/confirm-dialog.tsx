import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import { clsx } from 'clsx'
import { type ReactNode, type RefObject, useRef } from 'react'
import { Button } from '../button/button.tsx'
import { buttonClass } from '../button/button-class.ts'

interface Props {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** A question that names the person or thing: "Reset lenavogt's password?" */
  title: ReactNode
  description: ReactNode
  /** The verb on the button: "Reset password". */
  action: ReactNode
  onConfirm: () => void
  cancel?: ReactNode
  destructive?: boolean
  pending?: boolean
  /** The action is not possible; the children explain why. */
  disabled?: boolean
  /** On narrow screens, the dialog is a sheet at the bottom. */
  sheet?: boolean
  returnTo?: RefObject<HTMLElement | null> | (() => HTMLElement | null)
  children?: ReactNode
}

/** Asks for confirmation of an action that cannot be undone. Cancel has the initial focus; a click outside does not close it. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  action,
  onConfirm,
  cancel = 'Cancel',
  destructive = true,
  pending,
  disabled,
  sheet = false,
  returnTo,
  children,
}: Props) {
  const cancelButton = useRef<HTMLButtonElement>(null)
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup
          className={clsx('dialog', sheet && 'dialog-sheet')}
          initialFocus={cancelButton}
          finalFocus={returnTo}
        >
          <div className="dialog-head">
            <Base.Title>{title}</Base.Title>
            <Base.Description>{description}</Base.Description>
          </div>
          {children && <div className="dialog-body">{children}</div>}
          <div className="dialog-foot">
            <Base.Close ref={cancelButton} className={buttonClass({ variant: 'line' })}>
              {cancel}
            </Base.Close>
            <Button
              variant={destructive ? 'destructive' : 'primary'}
              pending={pending}
              aria-disabled={disabled}
              onClick={() => !disabled && onConfirm()}
            >
              {action}
            </Button>
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
