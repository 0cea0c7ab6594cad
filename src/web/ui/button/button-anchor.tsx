import type { ComponentProps } from 'react'
import { type ButtonLook, buttonClass } from './button-class.ts'

/** A link that looks like a button, for URLs outside the route table: email addresses, the player, payment links. For pages of this site use ButtonLink. */
export function ButtonAnchor({ variant, size, icon, wide, className, ...rest }: ButtonLook & ComponentProps<'a'>) {
  return <a {...rest} className={buttonClass({ variant, size, icon, wide }, className)} />
}
