import type { ComponentProps } from 'react'
import { type ButtonLook, buttonClass } from './button-class.ts'

/** For addresses outside the route table (mail, player, payment links); pages of ours use ButtonLink. */
export function ButtonAnchor({ variant, size, icon, wide, className, ...rest }: ButtonLook & ComponentProps<'a'>) {
  return <a {...rest} className={buttonClass({ variant, size, icon, wide }, className)} />
}
