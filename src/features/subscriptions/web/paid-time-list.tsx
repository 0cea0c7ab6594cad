import { Badge } from '#web/ui/badge.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { PaidTime } from '../contract.ts'
import { PaidTimeBar } from './paid-time-bar.tsx'

/** The plans in the remaining paid time with their dates; renders nothing for fewer than two. */
export function PaidTimeList({ time }: { time: readonly PaidTime[] }) {
  if (time.length < 2) return null
  const now = Date.now()
  return (
    <section className="mt-5.5 border-t pt-5.5" aria-labelledby="paid-time-title">
      <h4 id="paid-time-title" className="text-sm text-fg-2">
        Your plans in order
      </h4>
      <PaidTimeBar time={time} />
      <ol className="mt-3 grid gap-2">
        {time.map(({ planName, startsAt, endsAt }) => {
          const runs = Date.parse(startsAt) <= now
          return (
            <li key={startsAt} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
                <b className="block font-semibold">{planName}</b>
                <span className="text-15 text-fg-2">
                  {!runs && (
                    <>
                      From <DateText value={startsAt} />{' '}
                    </>
                  )}
                  {runs ? 'Until' : 'until'} <DateText value={endsAt} />
                </span>
              </span>
              <Badge variant={runs ? 'solid' : 'outline'}>{runs ? 'Running' : 'Next'}</Badge>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
