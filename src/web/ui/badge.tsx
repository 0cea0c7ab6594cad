import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

export type BadgeVariant = 'default' | 'secondary' | 'destructive' | 'outline' | 'solid' | 'neutral'

interface Props extends ComponentProps<'span'> {
  variant?: BadgeVariant
  /** Uses the warning color with the outline variant. */
  waiting?: boolean
}

export function Badge({ variant = 'neutral', waiting, className, ...rest }: Props) {
  return (
    <span
      {...rest}
      className={clsx('badge', variant !== 'neutral' && `badge-${variant}`, waiting && 'badge-warn', className)}
    />
  )
}
