import { describe, expect, test } from 'vitest'
import { readList, writeList } from './list-address.ts'

const rules = { sorts: ['createdAt', 'amount'] as const, statuses: ['pending', 'paid'] as const }
const start = { page: 1, pageSize: 10, sort: undefined, order: undefined, search: '', status: undefined, filters: {} }

describe('a list in the address', () => {
  test('starts with the defaults', () => expect(readList({}, rules)).toEqual(start))
  test('ignores what is not allowed: sorts, orders, sizes, statuses and pages that do not exist', () => {
    const nonsense = { page: -3, pageSize: 7, sort: 'password', order: 'desc', search: ['x'], status: 'draft' }
    expect(readList(nonsense, rules)).toEqual(start)
    expect(readList({ page: 'x', pageSize: 1e9 }, rules)).toEqual(start)
    expect(readList({ page: 1e30 }, rules).page).toBe(1_000_000)
  })
  test('reads a search for a number as text', () => expect(readList({ search: 42 }, rules).search).toBe('42'))
  test('sorts upwards unless told otherwise', () =>
    expect(readList({ sort: 'amount', order: 'sideways' }, rules).order).toBe('asc'))
  test('comes back as it was written, and says nothing about defaults', () => {
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
  test('carries further filters, and only what they may be', () => {
    const filtered = { ...rules, filters: { method: ['cash', 'card'] } }
    expect(readList({ method: 'card' }, filtered).filters).toEqual({ method: 'card' })
    expect(readList({ method: 'gold' }, filtered).filters).toEqual({})
    expect(readList(writeList({ ...start, filters: { method: 'cash' } }, filtered), filtered).filters).toEqual({
      method: 'cash',
    })
    expect(writeList({ ...start, filters: {} }, filtered)).toHaveProperty('method', undefined)
  })
  test('has a page size of its own where the list has one', () => {
    expect(readList({}, { ...rules, pageSize: 5 }).pageSize).toBe(5)
    expect(writeList({ ...start, pageSize: 10 }, { ...rules, pageSize: 5 }).pageSize).toBe(10)
  })
})
