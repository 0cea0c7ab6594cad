import type { GuideProgram, NowNext } from '#features/guide/rules.ts'

/** How many rows the guide over the picture shows. */
const rowsShown = 5
/** How many programs after the current one are shown for the channel that plays. */
const laterShown = 4

/**
 * Returns the cells of a row: the current program, which is undefined without listings, and later programs. `listings`: the programs of the channel, if they
 * are loaded.
 */
export function cellsOf(
  { now, next }: Partial<NowNext>,
  listings: readonly GuideProgram[],
  at: number,
): [now: GuideProgram | undefined, ...later: GuideProgram[]] {
  const isOn = ({ startsAt, endsAt }: GuideProgram) => Date.parse(startsAt) <= at && Date.parse(endsAt) > at
  const later = listings.filter(({ startsAt }) => Date.parse(startsAt) > at).slice(0, laterShown)
  return [now ?? listings.find(isOn), ...(later.length > 0 ? later : next ? [next] : [])]
}

/** Returns the index of the first row to show, so that the focused row is in the middle where possible. */
export const firstShown = (row: number, rows: number): number =>
  Math.max(0, Math.min(row - Math.floor(rowsShown / 2), rows - rowsShown))

export const shownRows = <T>(rows: readonly T[], row: number): readonly T[] => {
  const first = firstShown(row, rows.length)
  return rows.slice(first, first + rowsShown)
}

export type Spot = { row: number; column: number }
/**
 * Returns the position to which a key moves the focus; undefined for a key that does not move it. Up and down keep the column, also past rows with fewer
 * cells. `columns`: the number of cells in the row; `home`: the row of the channel that plays.
 */
export function moveSpot(
  key: string,
  { row, column }: Spot,
  { rows, columns, home }: { rows: number; columns: number; home: number },
): Spot | undefined {
  const shown = Math.min(column, columns - 1)
  const within = (value: number, count: number) => Math.max(0, Math.min(value, count - 1))
  switch (key) {
    case 'ArrowUp':
      return { row: within(row - 1, rows), column }
    case 'ArrowDown':
      return { row: within(row + 1, rows), column }
    case 'PageUp':
      return { row: within(row - rowsShown, rows), column }
    case 'PageDown':
      return { row: within(row + rowsShown, rows), column }
    case 'ArrowLeft':
      return { row, column: within(shown - 1, columns) }
    case 'ArrowRight':
      return { row, column: within(shown + 1, columns) }
    case 'Home':
      return { row: home, column: 0 }
  }
  return undefined
}
