import { type KeyboardEvent, type RefObject, use, useEffect, useRef } from 'react'
import type { Channel } from '#features/catalog/contract.ts'
import { announce } from '#web/ui/announce.ts'
import { currentOrNextProgram, type GridItem, gridSizes } from '../../grid-rules.ts'
import type { GuideProgram } from '../../rules.ts'
import { ChannelNumbers } from '../channel-numbers.ts'
import type { GridPrograms } from './use-grid-programs.ts'
import { useTypedNumber } from './use-typed-number.ts'

interface Options {
  scroll: RefObject<HTMLDivElement | null>
  items: readonly GridItem[]
  programs: ReadonlyMap<number, GuideProgram[]>
  day: { from: number; to: number }
  isLoaded: GridPrograms['isLoaded']
  /** The current time, in milliseconds. */
  at: number
}
type Target = { channel: Channel; time: number }
const pageRows = 6

/**
 * Keyboard navigation of the grid: left and right within a row, up and down to the program at the same time, Home to what is on now, End to the last
 * program. The focus moves once the target's element exists, because the target may have to be scrolled into view and rendered first.
 */
export function useGridKeys({ scroll, items, programs, day, isLoaded, at }: Options) {
  const numbers = use(ChannelNumbers)
  const target = useRef<Target>(undefined)
  // The time that stays the same when moving up and down.
  const time = useRef(at)
  const rows = items.flatMap((item) => ('channel' in item ? [item] : []))
  const end = day.to - 1
  /** Returns the channel's program at a time; at the end of the day, its last program. Undefined while the program is not loaded. */
  const programAt = (channelId: number, targetTime: number) => {
    const listed = programs.get(channelId) ?? []
    return (
      currentOrNextProgram(listed, targetTime) ?? (targetTime === end && isAtEnd(channelId) ? listed.at(-1) : undefined)
    )
  }
  const isAtEnd = (channelId: number) => isLoaded(channelId, end, day.to)

  useEffect(() => {
    const grid = scroll.current
    if (!grid || !target.current) return
    const { channel, time: targetTime } = target.current
    const row = grid.querySelector(`[data-channel="${channel.id}"]`)
    const listed = programs.get(channel.id)
    if (!row || !listed) return
    const program = programAt(channel.id, targetTime)
    if (!program && targetTime === end && !isAtEnd(channel.id)) return
    const cell = program && row.querySelector<HTMLElement>(`[data-start="${program.startsAt}"]`)
    if (program && !cell) {
      scrollToTime(grid, (Date.parse(program.startsAt) - day.from) / 60_000)
      return
    }
    target.current = undefined
    ;(cell ?? stopWithoutPrograms(row))?.focus({ preventScroll: true })
    if (cell) showCell(grid, cell)
  })

  const moveTo = (index: number, toTime: number) => {
    const item = rows[Math.max(0, Math.min(rows.length - 1, index))]
    const grid = scroll.current
    if (!item || !grid) return
    const visible = grid.clientHeight - gridSizes.clock
    if (item.top < grid.scrollTop + gridSizes.section) grid.scrollTop = Math.max(0, item.top - gridSizes.section)
    if (item.top + gridSizes.row > grid.scrollTop + visible) grid.scrollTop = item.top + gridSizes.row - visible
    target.current = { channel: item.channel, time: toTime }
    // The effect has to run even if the scroll position did not change.
    grid.dispatchEvent(new Event('scroll'))
    const program = programAt(item.channel.id, toTime)
    const cell = program && grid.querySelector<HTMLElement>(cellOf(item.channel.id, program))
    const row = grid.querySelector(`[data-channel="${item.channel.id}"]`)
    const isEmpty = programs.get(item.channel.id)?.length === 0 && (toTime !== end || isAtEnd(item.channel.id))
    const stop = cell ?? (row && isEmpty && stopWithoutPrograms(row))
    if (!stop) return
    target.current = undefined
    stop.focus({ preventScroll: true })
    if (cell) showCell(grid, cell)
  }
  /** Moves the focus to the channel's current program once it is shown, unless the focus has moved outside the grid. */
  const focusNow = (channel: Channel) => {
    const { activeElement } = document
    if (activeElement !== document.body && !scroll.current?.contains(activeElement)) return
    time.current = at
    target.current = { channel, time: at }
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const element = event.target as HTMLElement
    const row = element.closest<HTMLElement>('.guide-row')
    if (!row || event.altKey || event.metaKey) return
    const index = rows.findIndex(({ channel }) => String(channel.id) === row.dataset.channel)
    const stops = [...row.querySelectorAll<HTMLElement>('h3 a, .favorite, .guide-ask, button.guide-cell')]
    const position = stops.indexOf(element)
    const keys: Record<string, () => void> = {
      ArrowRight: () => focusStop(stops[position + 1]),
      ArrowLeft: () => focusStop(stops[position - 1]),
      ArrowDown: () => moveTo(index + 1, time.current),
      ArrowUp: () => moveTo(index - 1, time.current),
      PageDown: () => moveTo(index + pageRows, time.current),
      PageUp: () => moveTo(index - pageRows, time.current),
      Home: () => {
        time.current = at
        moveTo(index, at)
      },
      End: () => {
        time.current = end
        if (scroll.current) scrollToTime(scroll.current, (day.to - day.from) / 60_000)
        moveTo(index, end)
      },
    }
    const digit = !event.ctrlKey && /^\d$/.test(event.key) ? event.key : undefined
    const act = digit ? () => onDigit(digit) : keys[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  const focusStop = (stop: HTMLElement | undefined) => {
    const grid = scroll.current
    if (!stop || !grid) return
    stop.focus({ preventScroll: true })
    if (stop.dataset.start) {
      time.current = Date.parse(stop.dataset.start)
      showCell(grid, stop)
    }
  }
  const { typed, onDigit } = useTypedNumber((number) => {
    const index = rows.findIndex(({ channel }) => numbers.get(channel.id) === number)
    if (index < 0) announce(`No channel ${number}`)
    else if (scroll.current?.contains(document.activeElement)) moveTo(index, time.current)
  })
  return { onKeyDown, typed, focusNow }
}

/** Returns the element that the arrow keys reach in a row without programs: the button that asks the panel, or else the link of the channel. */
const stopWithoutPrograms = (row: Element): HTMLElement | null =>
  row.querySelector<HTMLElement>('.guide-ask') ?? row.querySelector<HTMLElement>('h3 a')

const cellOf = (channelId: number, { startsAt }: GuideProgram): string =>
  `[data-channel="${channelId}"] [data-start="${startsAt}"]`

function scrollToTime(grid: HTMLElement, minute: number): void {
  grid.scrollLeft = Math.max(0, (minute - 30) * gridSizes.minute)
}

/** Scrolls the grid sideways until the start of a cell is visible to the right of the channels. */
function showCell(grid: HTMLElement, cell: HTMLElement): void {
  const left = cell.offsetLeft
  const width = grid.clientWidth - gridSizes.channel
  if (left + cell.offsetWidth < grid.scrollLeft + 60) grid.scrollLeft = left
  else if (left > grid.scrollLeft + width - 120) grid.scrollLeft = left - width / 3
}
