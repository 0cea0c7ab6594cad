import { Fragment } from 'react'
import type { TimelineEntry } from '#features/customers/admin-timeline-contract.ts'
import { TimelineItem } from './timeline-item.tsx'
import { useOpenItems } from './use-open-items.tsx'

interface Props {
  user: { id: number; username: string }
  entries: readonly TimelineEntry[]
}

const thisYear = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' })
const otherYear = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

/** The timeline entries, grouped by day. */
export function TimelineDays({ user, entries }: Props) {
  const { open, dialogs, opening } = useOpenItems(user)
  if (entries.length === 0) return <p className="px-4.5 py-4 text-fg-2 sm:px-6">Nothing has happened yet.</p>
  return (
    <>
      {byDay(entries).map(({ day, rows }) => (
        <Fragment key={rows[0]!.id}>
          <h3 className="timeline-day" id={`timeline-${rows[0]!.id.replaceAll(' ', '-')}`}>
            {dayName(day)}
          </h3>
          <ol aria-labelledby={`timeline-${rows[0]!.id.replaceAll(' ', '-')}`}>
            {rows.map((entry) => (
              <TimelineItem key={entry.id} entry={entry} onOpen={open} isOpening={opening === entry.id} />
            ))}
          </ol>
        </Fragment>
      ))}
      {dialogs}
    </>
  )
}

function byDay(entries: readonly TimelineEntry[]): { day: string; rows: TimelineEntry[] }[] {
  const days: { day: string; rows: TimelineEntry[] }[] = []
  for (const entry of entries) {
    const day = entry.at.slice(0, 10)
    const last = days.at(-1)
    if (last?.day === day) last.rows.push(entry)
    else days.push({ day, rows: [entry] })
  }
  return days
}

function dayName(day: string): string {
  const now = Date.now()
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
  if (day === dayOf(now)) return 'Today'
  if (day === dayOf(now - 86_400_000)) return 'Yesterday'
  return (day.slice(0, 4) === dayOf(now).slice(0, 4) ? thisYear : otherYear).format(new Date(day))
}
