import { createElement as h, useState } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { type PageSelection, usePageSelection } from './data-table-selection.ts'

type Row = { id: number; open: boolean }
const rows: Row[] = [
  { id: 1, open: true },
  { id: 2, open: false },
  { id: 3, open: true },
]

/** Renders the selection of a page of rows. `pressed` collects the ids after each call of `onChange`. */
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
  vi.stubGlobal('document', { getElementById: () => null })
  return { page: page!, pressed }
}

// Other test files run in the same process, where libraries would take the stubbed `document` as a sign of a browser.
afterEach(() => void vi.unstubAllGlobals())

const rowOfOtherPage = { id: 9, open: true }

test('selecting a page skips rows that cannot be selected and keeps the selection of other pages', () => {
  const { page, pressed } = pageOf([rowOfOtherPage])
  expect([page.onPage, page.possible]).toEqual([0, 2])
  page.togglePage()
  expect(pressed).toEqual([[9, 1, 3]])
})

test('toggling a partly selected page selects all of its rows', () => {
  const { page, pressed } = pageOf([rowOfOtherPage, rows[2]!])
  expect(page.onPage).toBe(1)
  page.togglePage()
  expect(pressed).toEqual([[9, 3, 1]])
})

test('toggling a fully selected page deselects it and keeps other pages', () => {
  const { page, pressed } = pageOf([rowOfOtherPage, rows[0]!, rows[2]!])
  page.togglePage()
  expect(pressed).toEqual([[9]])
})

test('toggling a row selects it and deselects it', () => {
  const { page, pressed } = pageOf([rows[0]!])
  page.toggle(rows[0]!)
  page.toggle(rows[2]!)
  expect(pressed).toEqual([[], [1, 3]])
})
