import { type NowNext, partOver } from '#features/guide/rules.ts'
import { shortClockTime } from '#kit/clock.ts'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'

interface Props extends NowNext {
  at: number
  isWatched: boolean
}

/** What is on a channel now, how much of it is over, and what follows. */
export function ChannelProgram({ now, next, at, isWatched }: Props) {
  const zone = useTimeZone()
  if (!now) return null
  return (
    <>
      <span>
        <span className="zap-program">{now.title}</span>
        {isWatched && <em>Watching</em>}
      </span>
      <progress className="program-over" aria-hidden="true" max={1} value={partOver(now, at)} />
      <span className="num">
        <span className="sr-only">Until {shortClockTime(now.endsAt, zone)}. </span>
        {next && (
          <span className="zap-next">
            {shortClockTime(next.startsAt, zone)} {next.title}
          </span>
        )}
      </span>
    </>
  )
}
