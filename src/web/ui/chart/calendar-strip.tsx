import type { ReactNode } from 'react'
import { dayLetter, isWeekend, shortDay } from './chart-days.ts'

export type StripDay = {
  day: string
  open: number
  done: number
  /** The date and counts of the day as text, for screen readers. */
  label: string
}
interface Props {
  days: StripDay[]
  today: string
  /** Wraps the content of a day in a link to that day's list. */
  link: (day: StripDay, content: ReactNode) => ReactNode
}

/** One column per day: the solid part and the number are open entries, the hollow part below is done. Every day links to its list. */
export function CalendarStrip({ days, today, link }: Props) {
  const most = Math.max(1, ...days.map(({ open, done }) => open + done))
  return (
    <div className="strip-box">
      <ol className="strip">
        {days.map((day) => {
          // The highest column leaves space for its number.
          const [open, done] = [(day.open / most) * 86, (day.done / most) * 86]
          return (
            <li key={day.day} className={isWeekend(day.day) ? 'strip-weekend' : undefined}>
              {link(
                day,
                <>
                  <span className="sr-only">{day.label}</span>
                  <span aria-hidden="true" className="strip-column">
                    <svg aria-hidden="true" width="100%" height="100%">
                      <rect className="plot-bar" x="12%" y={`${100 - open - done}%`} width="76%" height={`${open}%`} />
                      <rect className="plot-done" x="14%" y={`${100 - done}%`} width="72%" height={`${done}%`} />
                      <text x="50%" y={`${100 - open - done}%`} dy="-4">
                        {day.open > 0 ? day.open : ''}
                      </text>
                    </svg>
                  </span>
                  <span aria-hidden="true" className={day.day === today ? 'strip-today' : 'strip-date'}>
                    {Number(day.day.slice(8)) === 1 ? shortDay(day.day).slice(0, 3) : Number(day.day.slice(8))}
                  </span>
                  <span aria-hidden="true">{dayLetter(day.day)}</span>
                </>,
              )}
            </li>
          )
        })}
      </ol>
    </div>
  )
}
