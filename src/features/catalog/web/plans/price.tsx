import { clsx } from 'clsx'
import { formatCents } from '#kit/money.ts'

/** A price with large dollars and a small sign and cents. Screen readers read a single amount. */
export function Price({ cents, className }: { cents: number; className?: string }) {
  const text = formatCents(cents)
  const [dollars, rest] = text.slice(1).split('.')
  return (
    <p className={clsx('price', className)}>
      <span className="sr-only">{text}</span>
      <span className="price-sign" aria-hidden="true">
        $
      </span>
      <span aria-hidden="true">{dollars}</span>
      <span className="price-cents" aria-hidden="true">
        .{rest}
      </span>
    </p>
  )
}
