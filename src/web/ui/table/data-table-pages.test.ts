import { describe, expect, test } from 'vitest'
import { lastPageOf, pagesAround, rangeText } from './data-table-pages.ts'

describe('the range text', () => {
  const users = { pageSize: 10, noun: 'users' }
  test('is 0 to 0 for an empty list', () =>
    expect(rangeText({ ...users, page: 1, total: 0 })).toBe('Showing 0 to 0 of 0 users'))
  test('is 1 to 1 for one row', () =>
    expect(rangeText({ ...users, page: 1, total: 1 })).toBe('Showing 1 to 1 of 1 users'))
  test('ends at the total on the last page', () =>
    expect(rangeText({ ...users, page: 13, total: 124 })).toBe('Showing 121 to 124 of 124 users'))
  test('says "more than" while the total is only a minimum', () =>
    expect(rangeText({ ...users, page: 2, total: 1000, isMinimum: true })).toBe(
      'Showing 11 to 20 of more than 1000 users',
    ))
  test('includes all rows of a full last page', () =>
    expect(rangeText({ ...users, page: 2, total: 20 })).toBe('Showing 11 to 20 of 20 users'))
})

test('an empty list has one page, and a full last page adds no further page', () => {
  expect([lastPageOf(0, 10), lastPageOf(10, 10), lastPageOf(11, 10)]).toEqual([1, 1, 2])
})

describe('the numbered pages', () => {
  test('are all shown when there are few', () => expect(pagesAround(2, 4)).toEqual([1, 2, 3, 4]))
  test('leave a gap only where more than one page is left out', () => {
    expect(pagesAround(1, 16)).toEqual([1, 2, 3, 'gap', 16])
    expect(pagesAround(4, 16)).toEqual([1, 2, 3, 4, 5, 'gap', 16])
    expect(pagesAround(8, 16)).toEqual([1, 'gap', 7, 8, 9, 'gap', 16])
    expect(pagesAround(16, 16)).toEqual([1, 'gap', 14, 15, 16])
  })
  test('never include a page that does not exist', () => {
    for (let last = 1; last < 12; last++)
      for (let page = 1; page <= last; page++) {
        const shown = pagesAround(page, last).filter((n) => n !== 'gap')
        expect(shown).toContain(page)
        expect(shown).toEqual([...new Set(shown)].filter((n) => n >= 1 && n <= last).sort((a, b) => a - b))
      }
  })
})
