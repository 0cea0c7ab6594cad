import { elapsedFraction, type NowNext } from '#features/guide/rules.ts'
import { shortClockTime } from '#kit/clock.ts'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'

/** What is on a channel at a time, how much of it is over, and what follows. */
export function ChannelProgram({ now, next, at }: NowNext & { at: number }) {
  const zone = useTimeZone()
  if (!now) return null
  return (
    <>
      <span className="zap-program">{now.title}</span>
      <progress className="program-over" aria-hidden="true" max={1} value={elapsedFraction(now, at)} />
      <span className="zap-next num">
        <span className="sr-only">Until {shortClockTime(now.endsAt, zone)}. </span>
        {next && `${shortClockTime(next.startsAt, zone)} ${next.title}`}
      </span>
    </>
  )
}
