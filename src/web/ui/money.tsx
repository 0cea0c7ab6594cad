import { clsx } from 'clsx'
import { formatCents, formatSignedCents } from '#kit/money.ts'

/** An amount of cents as `$12.34` in tabular figures. */
export function Money({ cents, signed, className }: { cents: number; signed?: boolean; className?: string }) {
  return <span className={clsx('num', className)}>{signed ? formatSignedCents(cents) : formatCents(cents)}</span>
}
