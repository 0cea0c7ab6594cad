import { describe, expect, test } from 'vitest'
import { readList, writeList } from './list-address.ts'

const rules = { sorts: ['createdAt', 'amount'] as const, statuses: ['pending', 'paid'] as const }
const start = { page: 1, pageSize: 10, sort: undefined, order: undefined, search: '', status: undefined, filters: {} }

describe('the list state in the URL', () => {
  test('starts with the defaults', () => expect(readList({}, rules)).toEqual(start))
  test('ignores sorts, orders, sizes, statuses and pages that are not allowed', () => {
    const nonsense = { page: -3, pageSize: 7, sort: 'password', order: 'desc', search: ['x'], status: 'draft' }
    expect(readList(nonsense, rules)).toEqual(start)
    expect(readList({ page: 'x', pageSize: 1e9 }, rules)).toEqual(start)
    expect(readList({ page: 1e30 }, rules).page).toBe(1_000_000)
  })
  test('reads a numeric search as text', () => expect(readList({ search: 42 }, rules).search).toBe('42'))
  test('sorts in ascending order by default', () =>
    expect(readList({ sort: 'amount', order: 'sideways' }, rules).order).toBe('asc'))
  test('is read as it was written, and defaults are not written', () => {
    const state = {
      page: 3,
      pageSize: 25,
      sort: 'amount' as const,
      order: 'desc' as const,
      search: '50%_\\',
      status: 'paid' as const,
      filters: {},
    }
    expect(readList(writeList(state, rules), rules)).toEqual(state)
    expect(Object.values(writeList(readList({}, rules), rules)).filter((value) => value !== undefined)).toEqual([])
  })
  test('includes further filters and ignores values that are not allowed', () => {
    const filtered = { ...rules, filters: { method: ['cash', 'card'] } }
    expect(readList({ method: 'card' }, filtered).filters).toEqual({ method: 'card' })
    expect(readList({ method: 'gold' }, filtered).filters).toEqual({})
    expect(readList(writeList({ ...start, filters: { method: 'cash' } }, filtered), filtered).filters).toEqual({
      method: 'cash',
    })
    expect(writeList({ ...start, filters: {} }, filtered)).toHaveProperty('method', undefined)
  })
  test('uses the default page size of the list', () => {
    expect(readList({}, { ...rules, pageSize: 5 }).pageSize).toBe(5)
    expect(writeList({ ...start, pageSize: 10 }, { ...rules, pageSize: 5 }).pageSize).toBe(10)
  })
})
