import type { ComponentProps, MouseEvent } from 'react'
import { type ButtonLook, buttonClass } from './button-class.ts'
import { Spinner } from './spinner.tsx'

interface Props extends ButtonLook, ComponentProps<'button'> {
  /** The work is under way: the label stays, a spinner joins it, further clicks and submits are swallowed. */
  pending?: boolean
}

// Preventing the default of the click also stops the submit that Enter in a field would start.
const swallow = (event: MouseEvent) => event.preventDefault()

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
      onClick={pending ? swallow : onClick}
    >
      {pending && <Spinner />}
      {children}
    </button>
  )
}
