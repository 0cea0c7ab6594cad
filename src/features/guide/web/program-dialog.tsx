import { useQuery } from '@tanstack/react-query'
import { Bell, BellRing, BookmarkCheck, BookmarkPlus, History, Play, SkipBack } from 'lucide-react'
import { type RefObject, useContext } from 'react'
import type { Channel } from '#features/catalog/contract.ts'
import { formatPlaybackTime } from '#features/watch/timeline-rules.ts'
import { listWatchProgress } from '#features/watch-progress/contract.ts'
import { progressRef } from '#features/watch-progress/rules.ts'
import { clockRange, shortClockTime } from '#kit/clock.ts'
import { ChannelLogo } from '#web/brand/channel-logo.tsx'
import { ProgramScene } from '#web/brand/program-scene.tsx'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'
import { archivedUntil, isInArchive } from '../archive-rules.ts'
import { getProgram } from '../contract.ts'
import { durationText, elapsedFraction, type GuideProgram, reminderMinutes, timeLeft } from '../rules.ts'
import { dayText } from '../view-rules.ts'
import { Archives } from './archives.ts'
import { ProgramShowings } from './program-showings.tsx'
import { useMarks } from './use-marks.ts'

interface Props {
  channel: Pick<Channel, 'id' | 'name' | 'logo' | 'category'>
  program: GuideProgram
  /** The current time, in milliseconds. */
  at: number
  open: boolean
  onOpenChange: (open: boolean) => void
  returnTo: RefObject<HTMLElement | null> | (() => HTMLElement | null)
}

/** The details of a program, with actions for before, during and after it. */
export function ProgramDialog({ channel, program, at, open, onOpenChange, returnTo }: Props) {
  const zone = useTimeZone()
  const marks = useMarks()
  const { data } = useQuery({
    ...query(getProgram, { params: { channelId: channel.id, startsAt: program.startsAt } }),
    enabled: open,
  })
  const { title, startsAt, endsAt, detail } = program
  const isOver = Date.parse(endsAt) <= at
  const isOn = !isOver && Date.parse(startsAt) <= at
  const marked = { channelId: channel.id, startsAt, title }
  const { onWatchlist, reminder } = marks.markOf(marked)
  const hours = useContext(Archives).get(channel.id) ?? 0
  const others = [...(data?.earlier.toReversed() ?? []), ...(data?.more ?? [])]
  const shown = others.filter((showing) => Date.parse(showing.endsAt) > at || isInArchive(showing, hours, at))
  const hasArchive = isInArchive(program, hours, at)
  // Playback positions change without a change event, so they are fetched each time the details are opened.
  const { data: history } = useQuery({
    ...query(listWatchProgress),
    enabled: open && isOver && hasArchive,
    staleTime: 0,
  })
  const left = isOver && hasArchive && history?.items.find(({ ref }) => ref === progressRef(marked))
  const until = archivedUntil(startsAt, hours)
  const minutes = Math.round((Date.parse(endsAt) - Date.parse(startsAt)) / 60_000)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={detail || channel.name}
      sheet
      returnTo={returnTo}
    >
      <div className="program-sheet">
        <div className="program-picture" data-category={channel.category}>
          <ProgramScene title={title} detail={detail} category={channel.category} />
          {isOn && <span className="program-on">On now</span>}
          {isOver && hasArchive && (
            <span className="program-on program-archived">
              Catch-up until {dayText(until, at, zone)}, {shortClockTime(until, zone)}
            </span>
          )}
          {isOn && (
            <progress className="program-over" aria-hidden="true" max={1} value={elapsedFraction(program, at)} />
          )}
        </div>
        <div className="program-channel">
          <ChannelLogo logo={channel.logo} />
          <p>
            <b>{channel.name}</b>
            <span className="num">
              {dayText(startsAt, at, zone)}, {clockRange(startsAt, endsAt, zone)}
              {isOn && ` · ${timeLeft(endsAt, at)}`}
            </span>
          </p>
        </div>
        {data?.description && <p>{data.description}</p>}
        <p className="program-facts">
          {[
            durationText(minutes),
            data?.category !== detail && data?.category,
            program.isNew && 'New',
            ...(data?.features ?? []),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <div className="program-actions">
          {isOn && (
            <ButtonLink
              to="/watch/{-$channelId}"
              params={{ channelId: String(channel.id) }}
              state={{ play: true } as never}
              size="lg"
              wide
            >
              <Play size={20} />
              Watch
            </ButtonLink>
          )}
          {hasArchive && (
            <ButtonLink
              to="/watch/{-$channelId}"
              params={{ channelId: String(channel.id) }}
              search={{ from: startsAt }}
              state={{ play: true, fromStart: isOn } as never}
              variant={isOn ? 'line' : undefined}
              wide
            >
              {isOn ? <SkipBack size={18} /> : left ? <Play size={18} /> : <History size={18} />}
              {isOn
                ? 'Watch from Start'
                : left
                  ? `Continue at ${formatPlaybackTime(left.positionMs)}`
                  : 'Watch Catch-up'}
            </ButtonLink>
          )}
          {left && (
            <ButtonLink
              to="/watch/{-$channelId}"
              params={{ channelId: String(channel.id) }}
              search={{ from: startsAt }}
              state={{ play: true, fromStart: true } as never}
              variant="line"
              wide
            >
              <SkipBack size={18} />
              Watch from Start
            </ButtonLink>
          )}
          {!isOver && !isOn && (
            <Button wide aria-pressed={reminder} pending={marks.isPending} onClick={() => marks.toggleReminder(marked)}>
              {reminder ? <BellRing size={18} /> : <Bell size={18} />}
              {reminder ? 'Reminder Set' : 'Remind Me'}
            </Button>
          )}
          {(!isOver || hasArchive) && (
            <Button
              variant="line"
              wide
              aria-pressed={onWatchlist}
              pending={marks.isPending}
              onClick={() => marks.toggleWatchlist(marked)}
            >
              {onWatchlist ? <BookmarkCheck size={18} /> : <BookmarkPlus size={18} />}
              {onWatchlist ? 'On Your Watchlist' : 'Add to Watchlist'}
            </Button>
          )}
          {isOver && !hasArchive && <p>This program has ended.</p>}
        </div>
        {!isOver && !isOn && (
          <p className="program-facts">
            We remind you here and by email {reminderMinutes} minutes before it starts. Press again to remove the
            reminder.
          </p>
        )}
        {data?.source && <p className="program-facts">Listings: {data.source}</p>}
        <ProgramShowings channelId={channel.id} showings={shown} at={at} onLeave={() => onOpenChange(false)} />
      </div>
    </Dialog>
  )
}
