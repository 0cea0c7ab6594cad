import { useQuery } from '@tanstack/react-query'
import { BookmarkCheck, BookmarkPlus, Flag, MonitorPlay, SkipBack, Star } from 'lucide-react'
import { categoryName } from '#features/catalog/rules.ts'
import { archivedUntil } from '#features/guide/archive-rules.ts'
import { getProgram } from '#features/guide/contract.ts'
import { durationText, type GuideProgram, type NowNext } from '#features/guide/rules.ts'
import { useMarks } from '#features/guide/web/use-marks.ts'
import type { OpenedPlay, Play, Watch } from '#features/watch/contract.ts'
import { useWatchlistToggle } from '#features/watchlist/web/use-watchlist-toggle.ts'
import { clockRange, clockTime, dateNames, localDate } from '#kit/clock.ts'
import { query } from '../../data.ts'
import { Button } from '../../ui/button/button.tsx'
import { useTimeZone } from '../../ui/time/use-time-zone.ts'

interface Props {
  channel: Watch['channels'][number]
  recording: OpenedPlay['recording']
  program: NowNext | undefined
  screens: number
  /** What this browser plays, if anything. */
  play: Play | undefined
  onFromStart: (() => void) | undefined
  onLive: () => void
  onReport: () => void
}

/** Describes what plays, with buttons for the program and the channel. */
export function WatchAbout({ channel, recording, program, screens, play, onFromStart, onLive, onReport }: Props) {
  const zone = useTimeZone()
  const marks = useMarks()
  const favorite = useWatchlistToggle(channel)
  const now = program?.now
  const startsAt = recording?.from ?? now?.startsAt
  const { data } = useQuery({
    ...query(getProgram, { params: { channelId: channel.id, startsAt: startsAt ?? '' } }),
    enabled: startsAt !== undefined,
  })
  const title = recording?.title ?? now?.title
  const detail = recording ? data?.detail : now?.detail
  const facts = [
    title && detail,
    ...(recording
      ? airedFacts(recording, channel.archiveHours, zone)
      : [now && clockRange(now.startsAt, now.endsAt, zone)]),
    title ? data?.category !== detail && data?.category : categoryName(channel.category),
    title && channel.name,
    ...(data?.features ?? []),
  ].filter((fact): fact is string => typeof fact === 'string' && fact !== '')
  const marked = startsAt !== undefined && title !== undefined && { channelId: channel.id, startsAt, title }
  const isMarked = marked && marks.markOf(marked).onWatchlist
  return (
    <section className="watch-about" aria-label="Program">
      <div>
        <h1>{title ?? channel.name}</h1>
        <p className="watch-facts num">
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
        {data?.description && <p className="watch-text">{data.description}</p>}
        <div className="watch-actions">
          {recording ? (
            <Button variant="ink" onClick={onLive}>
              <MonitorPlay size={18} />
              Go Live
            </Button>
          ) : (
            onFromStart && (
              <Button variant="ink" onClick={onFromStart}>
                <SkipBack size={18} />
                Watch from Start
              </Button>
            )
          )}
          {marked && (
            <Button
              variant="line"
              aria-pressed={isMarked}
              pending={marks.isPending}
              onClick={() => marks.toggleWatchlist(marked)}
            >
              {isMarked ? <BookmarkCheck size={18} /> : <BookmarkPlus size={18} />}
              {isMarked ? 'On Your Watchlist' : 'Add to Watchlist'}
            </Button>
          )}
          {!favorite.isFailed && (
            <Button
              variant="line"
              aria-pressed={favorite.isListed === true}
              pending={favorite.isListed === undefined || favorite.isPending}
              onClick={favorite.toggle}
            >
              <Star size={18} />
              Favorite
            </Button>
          )}
          <Button variant="line" onClick={onReport}>
            <Flag size={18} />
            Report a Problem
          </Button>
        </div>
      </div>
      <dl className="watch-aside">
        <NextFact recording={recording} program={program} />
        {channel.archiveHours > 0 && (
          <div>
            <dt>Catch-up</dt>
            <dd>Programs available for {archiveText(channel.archiveHours)}</dd>
          </div>
        )}
        {play && (
          <div>
            <dt>Playing on</dt>
            <dd>
              {play.device}, 1 of {screens} {screens === 1 ? 'screen' : 'screens'}
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}

function NextFact({ recording, program }: Pick<Props, 'recording' | 'program'>) {
  const zone = useTimeZone()
  const shown: GuideProgram | undefined = recording ? program?.now : program?.next
  if (!shown) return null
  return (
    <div>
      <dt>{recording ? 'Now on this channel' : `Next at ${clockTime(shown.startsAt, zone)}`}</dt>
      <dd>{shown.title}</dd>
    </div>
  )
}

/** Returns when a recording was broadcast, and until when it can be watched. */
function airedFacts({ from, to }: NonNullable<OpenedPlay['recording']>, hours: number, zone: string) {
  const until = archivedUntil(from, hours)
  const dayOf = (instant: number | string) => {
    const day = localDate(instant, zone)
    return day === localDate(Date.now(), zone) ? 'today' : dateNames(day).long
  }
  return [
    `Aired ${dayOf(from)}, ${clockRange(from, to, zone)}`,
    until > Date.parse(to) && `Available until ${dayOf(until)}, ${clockTime(until, zone)}`,
  ]
}

/** Formats the length of an archive: `3 days`, `12 hr`. */
const archiveText = (hours: number): string =>
  hours % 24 === 0 ? `${hours / 24} ${hours === 24 ? 'day' : 'days'}` : durationText(hours * 60)
