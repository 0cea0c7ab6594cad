import { clockRange, shortClockTime } from '#kit/clock.ts'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'
import { type NowNext, timeLeft } from '../rules.ts'

/** What is on the channel of the player, with its second line and times, and what follows. */
export function ProgramNow({ now, next, at }: NowNext & { at: number }) {
  const zone = useTimeZone()
  return (
    <div className="program-now">
      {now ? (
        <p>
          <b>{now.title}</b>
          {now.detail && ` · ${now.detail}`} · <span className="num">{clockRange(now.startsAt, now.endsAt, zone)}</span>{' '}
          · <span className="num">{timeLeft(now.endsAt, at)}</span>
        </p>
      ) : (
        <p>No information about the current program</p>
      )}
      {next && (
        <p className="num">
          {shortClockTime(next.startsAt, zone)} {next.title}
        </p>
      )}
    </div>
  )
}
