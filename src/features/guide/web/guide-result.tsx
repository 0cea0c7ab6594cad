import { BellRing, Clock, History } from 'lucide-react'
import type { Channel } from '#features/catalog/contract.ts'
import { clockTime } from '#kit/clock.ts'
import { ProgramScene } from '#web/brand/program-scene.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'
import type { Showing } from '../contract.ts'
import type { GuideProgram } from '../rules.ts'
import { dayText } from '../view-rules.ts'

interface Props {
  showing: Showing
  channel: Channel
  /** The current time, in milliseconds. */
  at: number
  hasReminder: boolean
  onOpen: (channel: Channel, program: GuideProgram) => void
}

/** A program that a search found. A program that has ended can be watched from the archive. */
export function GuideResult({ showing, channel, at, hasReminder, onOpen }: Props) {
  const zone = useTimeZone()
  const { title, detail, isNew, startsAt, endsAt } = showing
  const isOver = Date.parse(endsAt) <= at
  const isOn = !isOver && Date.parse(startsAt) <= at
  const time = `${dayText(startsAt, at, zone)}, ${clockTime(startsAt, zone)}`
  return (
    <button
      type="button"
      className="guide-entry guide-result"
      aria-haspopup="dialog"
      onClick={() => onOpen(channel, showing)}
    >
      <ProgramScene title={title} detail={detail} category={channel.category} />
      <span>
        <b>{title}</b>
        <span>{[isNew && 'New', detail].filter(Boolean).join(' · ')}</span>
        <span className="num">
          {channel.name} · {isOn ? `On now until ${clockTime(endsAt, zone)}` : isOver ? `Ended · ${time}` : time}
        </span>
      </span>
      {isOn ? (
        <Badge className="guide-result-now">On now</Badge>
      ) : isOver ? (
        <Badge>
          <History size={13} aria-hidden="true" />
          Catch-up
        </Badge>
      ) : hasReminder ? (
        <Badge variant="secondary">
          <BellRing size={13} aria-hidden="true" />
          Reminder set
        </Badge>
      ) : (
        <Badge>
          <Clock size={13} aria-hidden="true" />
          Later
        </Badge>
      )}
    </button>
  )
}
