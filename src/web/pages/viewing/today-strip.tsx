import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { isInArchive } from '#features/guide/archive-rules.ts'
import { type GuideProgram, programOf } from '#features/guide/rules.ts'
import { halfHour } from '#features/guide/view-rules.ts'
import { guideQuery } from '#features/guide/web/guide-query.ts'
import { clockRange } from '#kit/clock.ts'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'

interface Props {
  channel: { id: number; name: string; archiveHours: number }
  /** The start of the program that plays from the archive. */
  playing: string | undefined
  /** The current time, in milliseconds. */
  at: number
}
const hoursBefore = 5

/** The last programs of a channel and the next one, with links to those that the archive has. */
export function EarlierPrograms({ channel, playing, at }: Props) {
  const zone = useTimeZone()
  const from = halfHour(at) - hoursBefore * 3_600_000
  const { data } = useQuery({ ...guideQuery([channel.id], from, hoursBefore + 1), enabled: channel.archiveHours > 0 })
  const programs = (data?.rows[0]?.[1] ?? []).map((program) => programOf(Date.parse(data!.from), program))
  const shown = programs.filter((program) => isInArchive(program, channel.archiveHours, at))
  if (shown.length === 0) return null
  const isOn = ({ startsAt, endsAt }: GuideProgram) => Date.parse(startsAt) <= at && Date.parse(endsAt) > at
  return (
    <section className="earlier">
      <h2>Today on {channel.name}</h2>
      <ul>
        {shown.map((program) => (
          <li key={program.startsAt}>
            <Link
              to={'/watch/{-$channelId}' as never}
              params={{ channelId: String(channel.id) } as never}
              search={{ from: program.startsAt } as never}
              state={{ play: true } as never}
              resetScroll={false}
              aria-current={program.startsAt === playing || undefined}
            >
              <span className="earlier-mark">
                <History size={14} aria-hidden="true" />
                {isOn(program) ? 'From start' : 'Catch-up'}
              </span>
              <span className="num">{clockRange(program.startsAt, program.endsAt, zone)}</span>
              <b>{program.title}</b>
              {program.detail && <span>{program.detail}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
