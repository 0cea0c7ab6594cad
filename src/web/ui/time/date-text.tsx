import type { Instant } from '#kit/dates.ts'

// UTC on the server and in the browser, so that both render the same day.
const day = { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' } as const
const looks = {
  short: new Intl.DateTimeFormat('en-US', day),
  long: new Intl.DateTimeFormat('en-US', { ...day, month: 'long' }),
  minute: new Intl.DateTimeFormat('en-US', { ...day, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }),
}

interface Props {
  /** ISO 8601. Null and undefined show the fallback. */
  value: Instant | null | undefined
  look?: keyof typeof looks
  fallback?: string
  className?: string
}

/** A day as `Sep 2, 2026`; with the look `long` as `September 2, 2026`; with `minute` as `Sep 2, 2026, 4:30 PM UTC`. */
export function DateText({ value, look = 'short', fallback = '-', className }: Props) {
  if (!value) return <span className={className}>{fallback}</span>
  return (
    <time dateTime={value} className={className ? `num ${className}` : 'num'}>
      {looks[look].format(new Date(value))}
    </time>
  )
}
