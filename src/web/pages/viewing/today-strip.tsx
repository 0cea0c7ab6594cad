import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BellRing, History } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useRef } from 'react'
import { isInArchive } from '#features/guide/archive-rules.ts'
import { elapsedFraction, type GuideProgram, programOf } from '#features/guide/rules.ts'
import { startOfHalfHour } from '#features/guide/view-rules.ts'
import { Archives } from '#features/guide/web/archives.ts'
import { guideQuery } from '#features/guide/web/guide-query.ts'
import { useMarks } from '#features/guide/web/use-marks.ts'
import type { WatchChannel } from '#features/watch/contract.ts'
import { clockRange } from '#kit/clock.ts'
import { ProgramScene } from '../../brand/program-scene.tsx'
import { useTimeZone } from '../../ui/time/use-time-zone.ts'

const ProgramDialog = lazy(() =>
  import('#features/guide/web/program-dialog.tsx').then((module) => ({ default: module.ProgramDialog })),
)

export type OpenedProgram = { program: GuideProgram; isOpen: boolean }
interface Props {
  channel: WatchChannel
  /** The start of the program that plays from the archive. */
  playing: string | undefined
  /** The current time, in milliseconds. */
  at: number
  /** The program whose details are shown. */
  opened: OpenedProgram | undefined
  onOpen: (opened: OpenedProgram | undefined) => void
}
const hour = 3_600_000
const hoursBefore = 5
const hoursAhead = 6
/** Keeps the listings of the previous half hour until those of the next half hour are loaded. */
const keepPrevious = <T,>(previous: T): T => previous

/**
 * The programs of a channel around now. Programs in the archive and the current one can be played; later programs open their details. Load this component
 * lazily.
 */
export function TodayStrip({ channel, playing, at, opened, onOpen }: Props) {
  const zone = useTimeZone()
  const marks = useMarks()
  const list = useRef<HTMLUListElement>(null)
  const opener = useRef<HTMLElement>(null)
  const start = startOfHalfHour(at)
  const before = useQuery({
    ...guideQuery([channel.id], start - hoursBefore * hour, hoursBefore),
    enabled: channel.archiveHours > 0,
    placeholderData: keepPrevious,
  })
  const after = useQuery({ ...guideQuery([channel.id], start, hoursAhead), placeholderData: keepPrevious })
  const programs = new Map(
    [before.data, after.data].flatMap((data) =>
      (data?.rows.find(([id]) => id === channel.id)?.[1] ?? [])
        .map((row) => programOf(Date.parse(data!.from), row))
        .map((program): [string, GuideProgram] => [program.startsAt, program]),
    ),
  )
  const shown = [...programs.values()].filter(
    (program) => Date.parse(program.endsAt) > at || isInArchive(program, channel.archiveHours, at),
  )
  const isOn = ({ startsAt, endsAt }: GuideProgram) => Date.parse(startsAt) <= at && Date.parse(endsAt) > at
  const archives = useMemo(() => new Map([[channel.id, channel.archiveHours]]), [channel.id, channel.archiveHours])
  const current = playing ?? shown.find(isOn)?.startsAt
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when another program is the current one
  useEffect(() => {
    const card = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (!card || !list.current) return
    // Up to two earlier programs stay in view.
    const beforeIt = Math.min(2 * (card.offsetWidth + 16), (list.current.clientWidth - card.offsetWidth) / 2)
    list.current.scrollLeft = card.offsetLeft - list.current.offsetLeft - beforeIt - 6
  }, [current, channel.id])
  const dialog = opened && (
    <Suspense>
      <Archives value={archives}>
        <ProgramDialog
          channel={channel}
          program={opened.program}
          at={at}
          open={opened.isOpen}
          onOpenChange={(isOpen) => onOpen({ program: opened.program, isOpen })}
          returnTo={opener}
        />
      </Archives>
    </Suspense>
  )
  if (shown.length === 0) return dialog ?? null
  return (
    <section className="today" aria-labelledby="today-title">
      <div className="today-head">
        <h2 id="today-title">Today on {channel.name}</h2>
        <Link to={'/guide' as never} className="link">
          Open the guide
        </Link>
      </div>
      <ul ref={list}>
        {shown.map((program) => {
          const isNow = isOn(program)
          const isLater = Date.parse(program.startsAt) > at
          const hasReminder = marks.markOf({ channelId: channel.id, startsAt: program.startsAt }).reminder
          const card = (
            <>
              <span className="today-picture">
                <ProgramScene title={program.title} detail={program.detail} category={channel.category} />
                {(isNow || !isLater || hasReminder || program.isNew) && (
                  <span className="today-mark" data-now={isNow || undefined}>
                    {!isNow && !isLater && <History size={14} aria-hidden="true" />}
                    {isLater && hasReminder && <BellRing size={14} aria-hidden="true" />}
                    {isNow ? 'On now' : !isLater ? 'Catch-up' : hasReminder ? 'Reminder set' : 'New'}
                  </span>
                )}
                {isNow && (
                  <progress className="program-over" aria-hidden="true" max={1} value={elapsedFraction(program, at)} />
                )}
              </span>
              <span className="today-when num">{clockRange(program.startsAt, program.endsAt, zone)}</span>
              <b>{program.title}</b>
              <span>{program.detail}</span>
            </>
          )
          return (
            <li key={program.startsAt}>
              {isLater ? (
                <button
                  type="button"
                  aria-haspopup="dialog"
                  onClick={({ currentTarget }) => {
                    opener.current = currentTarget
                    onOpen({ program, isOpen: true })
                  }}
                >
                  {card}
                </button>
              ) : (
                <Link
                  to={'/watch/{-$channelId}' as never}
                  params={{ channelId: String(channel.id) } as never}
                  search={(isNow ? {} : { from: program.startsAt }) as never}
                  state={{ play: true } as never}
                  resetScroll={false}
                  aria-current={program.startsAt === current || undefined}
                >
                  {card}
                </Link>
              )}
            </li>
          )
        })}
      </ul>
      {dialog}
    </section>
  )
}
