import { format, formatDistanceToNow } from 'date-fns'
import type { Instant } from '#kit/dates.ts'

/** A relative time such as `about 1 year ago`, with the full date as tooltip. It loads date-fns, so use it on account and admin pages only. */
export function RelativeTime({ value, className }: { value: Instant; className?: string }) {
  const date = new Date(value)
  return (
    <time dateTime={value} title={format(date, 'MMM d, yyyy, HH:mm')} className={className} suppressHydrationWarning>
      {formatDistanceToNow(date, { addSuffix: true })}
    </time>
  )
}
