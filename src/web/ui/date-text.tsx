import type { Instant } from '#kit/dates.ts'

// UTC on both sides of the wire: the server's page and the browser's must say the same day.
const short = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })
const long = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

interface Props {
  /** ISO 8601; null shows the fallback. */
  value: Instant | null | undefined
  look?: 'short' | 'long'
  fallback?: string
  className?: string
}

/** A day as `Sep 2, 2026`, or `September 2, 2026` when long. */
export function DateText({ value, look = 'short', fallback = '-', className }: Props) {
  if (!value) return <span className={className}>{fallback}</span>
  return (
    <time dateTime={value} className={className ? `num ${className}` : 'num'}>
      {(look === 'long' ? long : short).format(new Date(value))}
    </time>
  )
}
