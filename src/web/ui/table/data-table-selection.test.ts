import { createElement as h, useState } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { type PageSelection, usePageSelection } from './data-table-selection.ts'

type Row = { id: number; open: boolean }
const rows: Row[] = [
  { id: 1, open: true },
  { id: 2, open: false },
  { id: 3, open: true },
]

/** What a page of these rows says of a selection, and what each press would select. */
function pageOf(selected: Row[]): { page: PageSelection<Row>; pressed: number[][] } {
  const pressed: number[][] = []
  let page: PageSelection<Row> | undefined
  function Table() {
    const [kept] = useState(selected)
    const onChange = (next: readonly Row[]) => void pressed.push(next.map(({ id }) => id))
    page = usePageSelection(
      { selected: kept, onChange, canSelect: (row) => row.open, nameOf: (row) => `${row.id}`, actions: null },
      rows,
      'rows',
      '',
    )
    return null
  }
  renderToStaticMarkup(h(Table))
  Object.assign(globalThis, { document: { getElementById: () => null } })
  return { page: page!, pressed }
}

const elsewhere = { id: 9, open: true }

test('choosing a whole page leaves alone what cannot be chosen, and what was chosen on other pages', () => {
  const { page, pressed } = pageOf([elsewhere])
  expect([page.onPage, page.possible]).toEqual([0, 2])
  page.togglePage()
  expect(pressed).toEqual([[9, 1, 3]])
})

test('a page that is chosen in part is chosen wholly first', () => {
  const { page, pressed } = pageOf([elsewhere, rows[2]!])
  expect(page.onPage).toBe(1)
  page.togglePage()
  expect(pressed).toEqual([[9, 3, 1]])
})

test('a page that is chosen wholly is given up, other pages are kept', () => {
  const { page, pressed } = pageOf([elsewhere, rows[0]!, rows[2]!])
  page.togglePage()
  expect(pressed).toEqual([[9]])
})

test('a row is chosen and given up by the same press', () => {
  const { page, pressed } = pageOf([rows[0]!])
  page.toggle(rows[0]!)
  page.toggle(rows[2]!)
  expect(pressed).toEqual([[], [1, 3]])
})
