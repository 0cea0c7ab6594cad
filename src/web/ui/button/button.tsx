import type { ComponentProps, MouseEvent } from 'react'
import { Spinner } from '../spinner.tsx'
import { type ButtonLook, buttonClass } from './button-class.ts'

interface Props extends ButtonLook, ComponentProps<'button'> {
  /** The request is pending: shows a spinner beside the label and ignores clicks and submits. */
  pending?: boolean
}

// `preventDefault` also stops the form submit that Enter in a field would trigger.
const ignoreClick = (event: MouseEvent) => event.preventDefault()

export function Button({
  variant,
  size,
  icon,
  wide,
  pending = false,
  className,
  type = 'button',
  onClick,
  children,
  ...rest
}: Props) {
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass({ variant, size, icon, wide }, className)}
      aria-disabled={pending || rest['aria-disabled']}
      onClick={pending ? ignoreClick : onClick}
    >
      {pending && <Spinner />}
      {children}
    </button>
  )
}
