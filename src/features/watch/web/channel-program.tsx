import { elapsedFraction, type NowNext } from '#features/guide/rules.ts'
import { shortClockTime } from '#kit/clock.ts'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'

/** The program of a channel at the time `at`, how much of it has passed, and the next one. */
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
