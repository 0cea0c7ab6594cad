import type { Channel } from '#features/catalog/contract.ts'
import { clockRange } from '#kit/clock.ts'
import { type GuideProgram, timeLeft } from './rules.ts'

/** Sizes of the grid in pixels; `minute` is the width of a minute. `guide-grid.css` has the same numbers. */
export const gridSizes = { row: 84, section: 40, clock: 44, channel: 224, minute: 5.2 } as const
const minuteMs = 60_000

export type GridItem = { top: number; channel: Channel } | { top: number; section: string; count: number }
export type GridLayout = { items: GridItem[]; height: number }

/** Returns the rows of the grid from top to bottom: favorites under their heading, then the other channels. */
export function gridLayout(channels: readonly Channel[], favoriteCount: number): GridLayout {
  const items: GridItem[] = []
  let top = 0
  const addSection = (section: string, count: number) => {
    items.push({ top, section, count })
    top += gridSizes.section
  }
  channels.forEach((channel, index) => {
    if (index === 0 && favoriteCount > 0) addSection('Favorites', favoriteCount)
    if (index === favoriteCount)
      addSection(favoriteCount > 0 ? 'All channels' : 'Channels', channels.length - favoriteCount)
    items.push({ top, channel })
    top += gridSizes.row
  })
  return { items, height: top }
}

/** Returns the items between two vertical positions in pixels, and those up to `margin` pixels above and below. */
export const itemsWithin = (items: readonly GridItem[], from: number, to: number, margin: number): GridItem[] =>
  items.filter(({ top }) => top + gridSizes.row > from - margin && top < to + margin)

export type GridCell = { start: number; minutes: number; program: GuideProgram | undefined }
/**
 * Returns the cells of a row that overlap the range from `from` to `to`, in milliseconds: programs, cut to the day, and the gaps between them. The
 * `start` of a cell is in minutes after the start of the day.
 */
export function rowCells(
  programs: readonly GuideProgram[],
  day: { from: number; to: number },
  [from, to]: [number, number],
): GridCell[] {
  const cells: GridCell[] = []
  const add = (start: number, end: number, program?: GuideProgram) => {
    if (end > Math.max(from, day.from) && start < Math.min(to, day.to) && end > start)
      cells.push({ start: (start - day.from) / minuteMs, minutes: (end - start) / minuteMs, program })
  }
  let end = day.from
  for (const program of programs) {
    const start = Math.max(end, Date.parse(program.startsAt))
    const programEnd = Math.min(day.to, Date.parse(program.endsAt))
    if (programEnd <= start) continue
    add(end, Math.min(start, day.to))
    add(start, programEnd, program)
    end = programEnd
  }
  add(end, day.to)
  return cells
}

/** Returns the program that is on at `at`, in milliseconds, or else the next one. */
export const currentOrNextProgram = (programs: readonly GuideProgram[], at: number): GuideProgram | undefined =>
  programs.find(({ startsAt, endsAt }) => Date.parse(startsAt) <= at && Date.parse(endsAt) > at) ??
  programs.find(({ startsAt }) => Date.parse(startsAt) > at)

type CellState = { zone: string; at: number; hasArchive: boolean; hasReminder: boolean }
/**
 * Returns the text of a cell for screen readers: `Night Ferry. New · S1 E5. 9:00 to 10:00 PM. Reminder set.` It says "to", because most screen readers
 * skip a dash between two times.
 */
export function cellLabel(program: GuideProgram, { zone, at, hasArchive, hasReminder }: CellState): string {
  const { title, detail, isNew, startsAt, endsAt } = program
  const isOver = Date.parse(endsAt) <= at
  const isOn = !isOver && Date.parse(startsAt) <= at
  const state = isOver
    ? `Ended. ${hasArchive ? 'Catch-up available' : 'Not available'}`
    : isOn
      ? `On now, ${timeLeft(endsAt, at)}`
      : hasReminder && 'Reminder set'
  const second = [isNew && 'New', detail].filter(Boolean).join(' · ')
  const times = clockRange(startsAt, endsAt, zone).replace(' – ', ' to ')
  return `${[title, second, times, state].filter(Boolean).join('. ')}.`
}
