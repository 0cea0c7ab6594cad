import { archivedUntil } from '#features/guide/archive-rules.ts'
import { clockRange, clockTime, dateNames, localDate } from '#kit/clock.ts'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'
import type { OpenedPlay } from '../../contract.ts'

interface Props {
  channelName: string
  recording: NonNullable<OpenedPlay['recording']>
  hours: number
}

/** When a recording was broadcast, and until when it can be watched. */
export function RecordingTimes({ channelName, recording: { from, to }, hours }: Props) {
  const zone = useTimeZone()
  const until = archivedUntil(from, hours)
  return (
    <p className="num">
      {channelName} · Aired {dateNames(localDate(from, zone)).long}, {clockRange(from, to, zone)}
      {until > Date.parse(to) &&
        ` · Available until ${dateNames(localDate(until, zone)).long}, ${clockTime(until, zone)}`}
    </p>
  )
}
