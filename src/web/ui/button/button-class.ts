import { clsx } from 'clsx'

export interface ButtonLook {
  variant?: 'primary' | 'ink' | 'line' | 'soft' | 'ghost' | 'destructive'
  size?: 'sm' | 'md' | 'lg'
  /** A square button with only an icon; it needs an aria-label. */
  icon?: boolean
  wide?: boolean
}

/** Returns the class names for a button, or for a link that looks like a button. */
export const buttonClass = ({ variant = 'primary', size = 'md', icon, wide }: ButtonLook, className?: string): string =>
  clsx('btn', `btn-${variant}`, size !== 'md' && `btn-${size}`, icon && 'btn-icon', wide && 'btn-wide', className)
