import type { Instant } from '#kit/dates.ts'

const zone = { timeZone: 'UTC' } as const
const looks = {
  time: new Intl.DateTimeFormat('en-US', { ...zone, hour: 'numeric', minute: '2-digit' }),
  day: new Intl.DateTimeFormat('en-US', {
    ...zone,
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }),
}
const full = new Intl.DateTimeFormat('en-US', { ...zone, dateStyle: 'long', timeStyle: 'long' })

/** The time of an entry, `9:34 AM`; with `look="day"` also its day, for entries without a day heading. The tooltip has the full date. Times are UTC. */
export function TimelineTime({ value, look = 'time' }: { value: Instant; look?: keyof typeof looks }) {
  const date = new Date(value)
  return (
    <time dateTime={value} title={full.format(date)} className="num">
      {looks[look].format(date)}
    </time>
  )
}
