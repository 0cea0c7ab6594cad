import { clsx } from 'clsx'

export interface ButtonLook {
  variant?: 'primary' | 'ink' | 'line' | 'soft' | 'ghost' | 'destructive'
  size?: 'sm' | 'md' | 'lg'
  /** A square button that holds nothing but an icon: give it an aria-label. */
  icon?: boolean
  wide?: boolean
}

/** The class of everything that looks like a button, whatever element carries it. */
export const buttonClass = ({ variant = 'primary', size = 'md', icon, wide }: ButtonLook, className?: string): string =>
  clsx('btn', `btn-${variant}`, size !== 'md' && `btn-${size}`, icon && 'btn-icon', wide && 'btn-wide', className)
