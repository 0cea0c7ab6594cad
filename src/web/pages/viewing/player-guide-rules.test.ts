import { expect, test } from 'vitest'
import type { GuideProgram } from '#features/guide/rules.ts'
import { cellsOf, firstShown, moveSpot, shownRows } from './player-guide-rules.ts'

const at = Date.parse('2026-11-24T01:37:00Z')
const program = (title: string, start: string): GuideProgram => ({
  startsAt: `2026-11-24T${start}:00.000Z`,
  endsAt: '2026-11-24T06:00:00.000Z',
  title,
  detail: '',
  isNew: false,
})
const [now, next, third] = [program('Now', '01:00'), program('Next', '02:00'), program('Third', '03:00')]
const titles = (cells: (GuideProgram | undefined)[]) => cells.map((cell) => cell?.title)

test('a row has the current program and the next one, and more programs if the listings are loaded', () => {
  expect(titles(cellsOf({ now, next }, [], at))).toEqual(['Now', 'Next'])
  expect(titles(cellsOf({ now, next }, [now, next, third], at))).toEqual(['Now', 'Next', 'Third'])
  expect(titles(cellsOf({}, [now, next], at))).toEqual(['Now', 'Next'])
  expect(titles(cellsOf({ now }, [], at))).toEqual(['Now'])
})

test('a channel without listings, or with a gap in them now, keeps its first cell', () => {
  expect(titles(cellsOf({}, [], at))).toEqual([undefined])
  expect(titles(cellsOf({ next }, [], at))).toEqual([undefined, 'Next'])
})

test('five rows are shown around the focused row, or all rows if there are fewer', () => {
  const rows = [0, 1, 2, 3, 4, 5, 6]
  expect(rows.map((row) => firstShown(row, rows.length))).toEqual([0, 0, 0, 1, 2, 2, 2])
  expect(shownRows(rows, 6)).toEqual([2, 3, 4, 5, 6])
  expect(shownRows([0, 1], 1)).toEqual([0, 1])
})

test('arrow keys move by one cell and stop at the edges; up and down keep the column past shorter rows', () => {
  const size = { rows: 7, columns: 2, home: 3 }
  expect(moveSpot('ArrowUp', { row: 0, column: 1 }, size)).toEqual({ row: 0, column: 1 })
  expect(moveSpot('ArrowDown', { row: 3, column: 4 }, size)).toEqual({ row: 4, column: 4 })
  expect(moveSpot('ArrowLeft', { row: 4, column: 4 }, size)).toEqual({ row: 4, column: 0 })
  expect(moveSpot('ArrowRight', { row: 4, column: 4 }, size)).toEqual({ row: 4, column: 1 })
  expect(moveSpot('ArrowLeft', { row: 4, column: 0 }, size)).toEqual({ row: 4, column: 0 })
  expect(moveSpot('PageDown', { row: 4, column: 0 }, size)).toEqual({ row: 6, column: 0 })
  expect(moveSpot('PageUp', { row: 4, column: 0 }, size)).toEqual({ row: 0, column: 0 })
  expect(moveSpot('Home', { row: 6, column: 1 }, size)).toEqual({ row: 3, column: 0 })
  expect(moveSpot('Tab', { row: 6, column: 1 }, size)).toBeUndefined()
})
