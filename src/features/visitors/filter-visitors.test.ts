import { expect, test } from 'vitest'
import type { Visitor } from './admin-contract.ts'
import { filterVisitors } from './rules.ts'

const visitor = (id: string, overrides: Partial<Visitor>): Visitor => ({
  id,
  isAuthenticated: false,
  username: null,
  ipAddress: '198.51.100.7',
  country: null,
  path: '/',
  userAgent: '',
  device: { browser: null, system: null, type: 'other' },
  lastActive: '2026-11-21T20:00:00.000Z',
  ...overrides,
})
const visitors = [
  visitor('a', { path: '/setup', country: 'Iceland', lastActive: '2026-11-21T20:00:03.000Z' }),
  visitor('b', { username: 'Zoe', path: '/admin', lastActive: '2026-11-21T20:00:02.000Z' }),
  visitor('c', { username: 'abel', ipAddress: '2001:db8::1', lastActive: '2026-11-21T20:00:01.000Z' }),
]
const ids = (chosen: Parameters<typeof filterVisitors>[1]) => filterVisitors(visitors, chosen).map(({ id }) => id)

test('without a query all are returned, latest first; sorted by name, page or time otherwise', () => {
  expect(ids({})).toEqual(['a', 'b', 'c'])
  expect(ids({ sort: 'username', order: 'asc' })).toEqual(['c', 'a', 'b'])
  expect(ids({ sort: 'path', order: 'desc' })).toEqual(['a', 'c', 'b'])
  expect(ids({ sort: 'lastActive', order: 'asc' })).toEqual(['c', 'b', 'a'])
})

test('a search matches names, addresses, countries, paths and page names, ignoring case', () => {
  for (const [search, found] of [
    ['ZOE', 'b'],
    ['anonymous', 'a'],
    ['2001:db8', 'c'],
    ['iceland', 'a'],
    ['/admin', 'b'],
    ['home page', 'c'],
  ] as const)
    expect([search, ids({ search })]).toEqual([search, [found]])
  expect(ids({ search: 'nobody' })).toEqual([])
})
