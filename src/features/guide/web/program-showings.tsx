import { Bell, BellRing, History, Play } from 'lucide-react'
import { clockTime, shortClockTime } from '#kit/clock.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'
import type { Showing } from '../contract.ts'
import { dayText } from '../view-rules.ts'
import { useMarks } from './use-marks.ts'

interface Props {
  channelId: number
  /** The showings by time; those that have ended can be watched from the archive. */
  showings: readonly Showing[]
  /** The current time, in milliseconds. */
  at: number
  /** Called when a link to the player is followed. */
  onLeave: () => void
}
const hasEpisode = /^(S\d+ )?E\d+/

/** The other showings of a program, each with a button to watch it or to set a reminder; renders nothing if there are none. */
export function ProgramShowings({ channelId, showings, at, onLeave }: Props) {
  const zone = useTimeZone()
  const marks = useMarks()
  if (showings.length === 0) return null
  return (
    <>
      <h3>{showings.some(({ detail }) => hasEpisode.test(detail)) ? 'More episodes' : 'More showings'}</h3>
      <ul className="program-more">
        {showings.map((showing) => {
          const { title, detail, startsAt, endsAt } = showing
          const isOver = Date.parse(endsAt) <= at
          const isOn = !isOver && Date.parse(startsAt) <= at
          const isSet = marks.markOf(showing).reminder
          const when = isOn
            ? `On now until ${clockTime(endsAt, zone)}`
            : `${dayText(startsAt, at, zone)}, ${shortClockTime(startsAt, zone)}`
          return (
            <li key={startsAt}>
              <span>
                <b>{detail || title}</b>
                <span className="num">{isOver ? `${when} · Ended` : when}</span>
              </span>
              {isOver || isOn ? (
                <ButtonLink
                  to="/watch/{-$channelId}"
                  params={{ channelId: String(channelId) }}
                  search={isOver ? { from: startsAt } : {}}
                  state={{ play: true } as never}
                  variant="line"
                  icon
                  aria-label={`${isOver ? 'Watch catch-up of' : 'Watch'} ${detail || title}, ${when}`}
                  onClick={onLeave}
                >
                  {isOver ? <History size={18} /> : <Play size={18} />}
                </ButtonLink>
              ) : (
                <Button
                  variant="line"
                  icon
                  aria-pressed={isSet}
                  aria-label={`Remind me about ${detail || title}, ${when}`}
                  onClick={() => marks.toggleReminder(showing)}
                >
                  {isSet ? <BellRing size={18} /> : <Bell size={18} />}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}
