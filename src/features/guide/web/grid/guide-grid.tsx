import { useQuery } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Channel } from '#features/catalog/contract.ts'
import { channelCount } from '#features/catalog/rules.ts'
import { getWatch } from '#features/watch/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { clockTime, zoneName } from '#kit/clock.ts'
import { query } from '#web/data.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'
import { currentOrNextProgram, gridLayout, gridSizes, itemsWithin } from '../../grid-rules.ts'
import type { GuideProgram } from '../../rules.ts'
import { dayRange, type GuideDay, gridRange, guideDay, halfHourMs, startOfHalfHour } from '../../view-rules.ts'
import type { Favorites } from '../use-favorites.ts'
import type { Marks } from '../use-marks.ts'
import type { NowNextOfChannels } from '../use-now-next.ts'
import { cssVariables } from './css-variables.ts'
import { GridRow, marginMinutes } from './grid-row.tsx'
import { useGridKeys } from './use-grid-keys.ts'
import { useGridPrograms } from './use-grid-programs.ts'
import { useGridWindow } from './use-grid-window.ts'

interface Props {
  /** Favorites first. */
  channels: readonly Channel[]
  favoriteCount: number
  day: GuideDay
  /** The time at the left edge, in milliseconds; by default an hour before the current time of day. */
  from: number | undefined
  /** What is on now. */
  guide: NowNextOfChannels
  favorites: Favorites
  marks: Marks
  onOpen: (channel: Channel, program: GuideProgram) => void
}
const minuteMs = 60_000
const hourMs = 3_600_000
/** How far beyond the view the grid is rendered. */
const margin = { rows: gridSizes.row / 2, minutes: marginMinutes }

/** Whether the label of the current time (`at`) would cover the label of a half hour (`time`), both in milliseconds. */
const isCoveredByNow = (time: number, at: number): boolean => at - time > -5 * minuteMs && at - time < 20 * minuteMs

/** The guide as a grid of channels and times. Only the visible part is rendered. Rows are lists of buttons and not a table, because they share no columns. */
export function GuideGrid({ channels, favoriteCount, day, from, guide, favorites, marks, onOpen }: Props) {
  const { at } = guide
  const zone = useTimeZone()
  const { data: watch } = useQuery(query(getWatch))
  const scroll = useRef<HTMLDivElement>(null)
  const range = useMemo(() => gridRange(day.day, zone), [day.day, zone])
  const today = dayRange(guideDay(at, zone), zone)
  const leftEdge = from ?? Math.max(range.from, startOfHalfHour(range.from + at - today.from, range.from) - hourMs)
  const edgePixels = ((leftEdge - range.from) / minuteMs) * gridSizes.minute
  const { top, left, width, height } = useGridWindow(scroll, edgePixels)
  const { items, height: totalHeight } = useMemo(() => gridLayout(channels, favoriteCount), [channels, favoriteCount])
  const visible = itemsWithin(items, top, top + height, margin.rows)
  const indexes = visible.flatMap((item) => ('channel' in item ? [channels.indexOf(item.channel)] : []))
  const timeAt = (pixels: number) => range.from + (pixels / gridSizes.minute) * minuteMs
  const shown = {
    from: timeAt(left) - margin.minutes * minuteMs,
    to: timeAt(left + width - gridSizes.channel) + margin.minutes * minuteMs,
  }
  const programs = useGridPrograms(channels, [indexes[0] ?? 0, indexes.at(-1) ?? 0], range, shown)
  const keys = useGridKeys({
    scroll,
    items,
    programs: programs.byChannel,
    isLoaded: programs.isLoaded,
    day: range,
    at,
  })
  const [focused, setFocused] = useState<{ id: number; start: string | undefined }>()

  const isToday = at >= range.from && at < range.to
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when the address or the day changes, not as time passes
  useEffect(() => {
    if (scroll.current) scroll.current.scrollLeft = edgePixels
  }, [from, range])

  if (programs.error)
    return (
      <ErrorState
        title="The listings could not be loaded"
        message={messageOf(programs.error)}
        pending={false}
        onRetry={programs.refetch}
      />
    )
  const minutes = (range.to - range.from) / minuteMs
  const first = visible.find((item) => 'channel' in item)
  const firstChannel = first && 'channel' in first ? first.channel : undefined
  const tabStop =
    focused && visible.some((item) => 'channel' in item && item.channel.id === focused.id)
      ? focused
      : firstChannel && {
          id: firstChannel.id,
          start: currentOrNextProgram(programs.byChannel.get(firstChannel.id) ?? [], isToday ? at : timeAt(left))
            ?.startsAt,
        }
  const mayAskPanel = ({ id }: Channel) =>
    isToday &&
    !guide.channels.has(id) &&
    watch?.blocked === null &&
    watch.channels.some((each) => each.id === id && each.blocked === null)
  const halfHours = Array.from({ length: minutes / 30 }, (_, index) => range.from + index * halfHourMs)
  return (
    <div className="guide-frame">
      <section
        ref={scroll}
        className="guide-scroll"
        aria-label={`Programs, ${day.long}`}
        onKeyDown={keys.onKeyDown}
        onFocus={({ target }) => {
          const { start } = (target as HTMLElement).dataset
          const row = target.closest<HTMLElement>('.guide-row')
          // A row without programs can have the tab stop, too.
          if (row && (start || !row.querySelector('[data-start]')))
            setFocused({ id: Number(row.dataset.channel), start })
        }}
      >
        <div ref={cssVariables({ minutes, height: totalHeight })} className="guide-canvas">
          <div className="guide-clock" aria-hidden="true">
            <span className="guide-corner">{keys.typed || zoneName(at, zone)}</span>
            <ol>
              {halfHours
                .filter((time) => time > shown.from && time < shown.to)
                .map((time) => (
                  <li key={time} ref={cssVariables({ start: (time - range.from) / minuteMs })} className="num">
                    {!(isToday && isCoveredByNow(time, at)) && clockTime(time, zone)}
                  </li>
                ))}
              {isToday && (
                <li ref={cssVariables({ start: (at - range.from) / minuteMs })} className="guide-now-label num">
                  {clockTime(at, zone)}
                </li>
              )}
            </ol>
          </div>
          {visible.map((item) =>
            'section' in item ? (
              <div key={item.section} ref={cssVariables({ top: item.top })} className="guide-grid-section">
                <h2 className="guide-section">
                  {item.section === 'Favorites' && <Star size={16} aria-hidden="true" />}
                  {item.section}
                  <span className="sr-only">, {channelCount(item.count)}</span>
                </h2>
              </div>
            ) : (
              <GridRow
                key={item.channel.id}
                channel={item.channel}
                top={item.top}
                programs={programs.byChannel.get(item.channel.id)}
                day={range}
                shown={[shown.from, shown.to]}
                isLoaded={programs.isLoaded}
                at={at}
                favorites={favorites}
                marks={marks}
                tabStop={tabStop?.id === item.channel.id ? tabStop : undefined}
                onFound={mayAskPanel(item.channel) ? () => keys.focusNow(item.channel) : undefined}
                onOpen={onOpen}
              />
            ),
          )}
          {isToday && <div ref={cssVariables({ start: (at - range.from) / minuteMs })} className="guide-now-line" />}
        </div>
      </section>
    </div>
  )
}
