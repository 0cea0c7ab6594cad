import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog as Base } from '@base-ui/react/dialog'
import { clsx } from 'clsx'
import { X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { buttonClass } from '../button/button-class.ts'

interface Props {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Verb and object: "Manage subscription". */
  title: ReactNode
  description?: ReactNode
  /** Buttons, in reading order: Cancel first. */
  footer?: ReactNode
  size?: 'text' | 'form' | 'wide'
  /** On narrow screens, the dialog is a sheet at the bottom. */
  sheet?: boolean
  /** The height does not depend on the content: for content that loads, which would otherwise move the buttons. */
  fixedHeight?: boolean
  /** An alert dialog: for decisions about a person. A click outside never closes it. */
  alert?: boolean
  /** A click outside does not close the dialog: for forms with typed values. */
  keepOnOutsidePress?: boolean
  /** Gets the focus on opening; by default the first field or button. */
  initialFocus?: RefObject<HTMLElement | null>
  /** Gets the focus on closing; by default the element that had it before opening. */
  returnTo?: RefObject<HTMLElement | null> | (() => HTMLElement | null)
  children?: ReactNode
}

/** A modal dialog. Import it from a lazily loaded module: it includes Base UI (22 kB). */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  footer,
  size = 'text',
  sheet = false,
  fixedHeight = false,
  alert = false,
  keepOnOutsidePress = false,
  initialFocus,
  returnTo,
  children,
}: Props) {
  const parts = (
    <Base.Portal>
      <Base.Backdrop className="backdrop" />
      <Base.Popup
        className={clsx(
          'dialog',
          size !== 'text' && `dialog-${size}`,
          sheet && 'dialog-sheet',
          fixedHeight && 'dialog-fixed',
        )}
        initialFocus={initialFocus}
        finalFocus={returnTo}
      >
        <div className="dialog-head">
          <Base.Title>{title}</Base.Title>
          {description && <Base.Description>{description}</Base.Description>}
        </div>
        {children && <div className="dialog-body">{children}</div>}
        {footer && <div className="dialog-foot">{footer}</div>}
        <Base.Close className={buttonClass({ variant: 'ghost', icon: true }, 'dialog-close')} aria-label="Close">
          <X size={20} />
        </Base.Close>
      </Base.Popup>
    </Base.Portal>
  )
  return alert ? (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      {parts}
    </AlertDialog.Root>
  ) : (
    <Base.Root open={open} onOpenChange={onOpenChange} disablePointerDismissal={keepOnOutsidePress}>
      {parts}
    </Base.Root>
  )
}
