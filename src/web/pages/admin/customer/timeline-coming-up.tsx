import { CalendarClock } from 'lucide-react'
import type { ComingUp } from '#features/customers/admin-timeline-contract.ts'
import { TimelineTime } from './timeline-time.tsx'

/** What scheduled jobs will do for this customer, earliest first. */
export function TimelineComingUp({ events }: { events: readonly ComingUp[] }) {
  if (events.length === 0) return null
  return (
    <>
      <h3 className="timeline-day" id="timeline-coming-up">
        Coming up
      </h3>
      <ol aria-labelledby="timeline-coming-up">
        {events.map(({ at, title, detail }) => (
          <li key={`${at} ${title}`}>
            <span className="timeline-mark" data-tone="coming" aria-hidden="true">
              <CalendarClock size={16} />
            </span>
            <div className="timeline-text">
              <b>{title}</b>
              {detail && <p>{detail}</p>}
            </div>
            <TimelineTime value={at} look="day" />
          </li>
        ))}
      </ol>
    </>
  )
}
