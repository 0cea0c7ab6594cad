import { Link } from '@tanstack/react-router'
import { BellRing, History } from 'lucide-react'
import { use } from 'react'
import type { Channel } from '#features/catalog/contract.ts'
import { ChannelLogo } from '#web/brand/channel-logo.tsx'
import { ProgramScene } from '#web/brand/program-scene.tsx'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'
import { cellLabel, type GridCell, rowCells } from '../../grid-rules.ts'
import { elapsedFraction, type GuideProgram } from '../../rules.ts'
import { useIsInArchive } from '../archives.ts'
import { ChannelNumbers } from '../channel-numbers.ts'
import { FavoriteButton } from '../favorite-button.tsx'
import { ListingsButton } from '../listings-button.tsx'
import type { Favorites } from '../use-favorites.ts'
import type { Marks } from '../use-marks.ts'
import { cssVariables } from './css-variables.ts'

/** How many minutes are rendered beyond each edge of the view. */
export const marginMinutes = 15
/** A program shorter than this shows only its title. */
const shortMinutes = 15
/** A program that is on shows a picture if at least this many of its minutes are in view. */
const pictureMinutes = 44

interface Props {
  channel: Channel
  top: number
  /** Undefined while the programs load. */
  programs: readonly GuideProgram[] | undefined
  day: { from: number; to: number }
  shown: [number, number]
  isLoaded: (channelId: number, from: number, to: number) => boolean
  /** The current time, in milliseconds. */
  at: number
  favorites: Favorites
  marks: Marks
  /**
   * Set if this row has the tab stop. `start` is the start of the program that has it. Without `start`, the button that asks the panel has the tab
   * stop, or else the link of the channel.
   */
  tabStop: { start: string | undefined } | undefined
  /** Called before programs from the panel are shown; undefined if the panel must not be asked. */
  onFound: (() => void) | undefined
  onOpen: (channel: Channel, program: GuideProgram) => void
}

/** A channel in the grid: its name as a heading, and its programs as buttons by time. */
export function GridRow({
  channel,
  top,
  programs,
  day,
  shown,
  isLoaded,
  at,
  favorites,
  marks,
  tabStop,
  onFound,
  onOpen,
}: Props) {
  const number = use(ChannelNumbers).get(channel.id)
  const cells: GridCell[] = programs
    ? rowCells(programs, day, shown)
    : [{ start: 0, minutes: (day.to - day.from) / 60_000, program: undefined }]
  const isGapLoaded = (start: number, minutes: number) => {
    const from = day.from + start * 60_000
    return isLoaded(channel.id, Math.max(from, shown[0]), Math.min(from + minutes * 60_000, shown[1]))
  }
  const gapText = (start: number, minutes: number): string =>
    !isGapLoaded(start, minutes) ? 'Loading' : programs?.length ? 'No information' : 'No listings'
  const asksPanel = onFound && programs?.length === 0 && isLoaded(channel.id, ...shown)
  const hasStop = tabStop !== undefined && tabStop.start === undefined
  const leftMinute = (shown[0] - day.from) / 60_000 + marginMinutes
  return (
    <section
      ref={cssVariables({ top })}
      className="guide-row"
      data-channel={channel.id}
      aria-labelledby={`guide-${channel.id}`}
    >
      <div className="guide-channel">
        <ChannelLogo logo={channel.logo} />
        <h3 id={`guide-${channel.id}`}>
          <Link
            to={'/watch/{-$channelId}' as never}
            params={{ channelId: String(channel.id) } as never}
            state={{ play: true } as never}
            tabIndex={hasStop && !asksPanel ? 0 : -1}
          >
            {channel.name}
          </Link>
          {number !== undefined && (
            <span className="num">
              <span className="sr-only">, channel </span>
              {number}
            </span>
          )}
        </h3>
        <FavoriteButton channel={channel} favorites={favorites} inGrid />
      </div>
      <ol className="guide-programs">
        {cells.map(({ start, minutes, program }) => (
          <li key={start}>
            {program ? (
              <Cell
                {...{ channel, program, start, minutes, at }}
                hidden={Math.max(0, Math.min(leftMinute - start, minutes - shortMinutes))}
                hasReminder={marks.markOf({ channelId: channel.id, startsAt: program.startsAt }).reminder}
                isTabStop={program.startsAt === tabStop?.start}
                onOpen={onOpen}
              />
            ) : (
              <div
                ref={cssVariables({ start, length: minutes })}
                className={isGapLoaded(start, minutes) ? 'guide-cell guide-gap' : 'guide-cell guide-waiting'}
              >
                <div>
                  {asksPanel ? (
                    <ListingsButton channel={channel} onFound={onFound} tabIndex={hasStop ? 0 : -1} variant="line" />
                  ) : (
                    gapText(start, minutes)
                  )}
                </div>
              </div>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

interface CellProps extends Pick<Props, 'channel' | 'at' | 'onOpen'> {
  program: GuideProgram
  start: number
  minutes: number
  /** How many minutes of the program are to the left of the view. */
  hidden: number
  hasReminder: boolean
  isTabStop: boolean
}
function Cell({ channel, program, start, minutes, hidden, at, hasReminder, isTabStop, onOpen }: CellProps) {
  const zone = useTimeZone()
  const isOver = Date.parse(program.endsAt) <= at
  const isOn = !isOver && Date.parse(program.startsAt) <= at
  const detail = [program.isNew && 'New', program.detail].filter(Boolean).join(' · ')
  const hasArchive = useIsInArchive()(channel.id, program, at)
  return (
    <button
      ref={cssVariables({ start, length: minutes, hidden })}
      type="button"
      className="guide-cell"
      data-category={channel.category}
      data-time={isOver ? 'past' : isOn ? 'now' : undefined}
      data-archived={(isOver && hasArchive) || undefined}
      data-start={program.startsAt}
      tabIndex={isTabStop ? 0 : -1}
      aria-haspopup="dialog"
      aria-label={cellLabel(program, { zone, at, hasArchive, hasReminder })}
      onClick={() => onOpen(channel, program)}
    >
      {isOn && minutes - hidden >= pictureMinutes && (
        <ProgramScene title={program.title} detail={program.detail} category={channel.category} />
      )}
      <span className="guide-cell-text">
        {/* Without the space, title and detail would join into a word that the label does not contain. */}
        <b>{program.title}</b>{' '}
        {minutes >= shortMinutes && (detail || hasReminder || (isOver && hasArchive)) && (
          <span className="guide-cell-detail">
            {isOver && hasArchive && <History size={13} aria-hidden="true" />}
            {hasReminder && <BellRing size={13} aria-hidden="true" />}
            {detail}
          </span>
        )}
      </span>
      {isOn && <progress className="program-over" aria-hidden="true" max={1} value={elapsedFraction(program, at)} />}
    </button>
  )
}
