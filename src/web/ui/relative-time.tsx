import { format, formatDistanceToNow } from 'date-fns'
import type { Instant } from '#kit/dates.ts'

/** `about 1 year ago`, the full date in its title. Costs date-fns: for account and admin pages only. */
export function RelativeTime({ value, className }: { value: Instant; className?: string }) {
  const date = new Date(value)
  return (
    <time dateTime={value} title={format(date, 'MMM d, yyyy, HH:mm')} className={className} suppressHydrationWarning>
      {formatDistanceToNow(date, { addSuffix: true })}
    </time>
  )
}
