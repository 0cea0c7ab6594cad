import { expect, test } from 'vitest'
import { daysUntil, worstOf } from './rules.ts'

const now = new Date('2026-11-26T12:00:00.000Z')
const statesOf = (...incidents: Parameters<typeof daysUntil>[1]) =>
  daysUntil(now, incidents, 4).map(({ state }) => state)

test('an outage is worse than a problem, and a problem is worse than maintenance', () => {
  expect(worstOf([])).toBeNull()
  expect(worstOf([{ kind: 'maintenance' }, { kind: 'problem' }])).toBe('problem')
  expect(worstOf([{ kind: 'outage' }, { kind: 'problem' }, { kind: 'maintenance' }])).toBe('outage')
})

test('the days are UTC days that end with today, and an incident counts on every day on which it was ongoing', () => {
  expect(daysUntil(now, [], 3).map(({ day }) => day)).toEqual(['2026-11-24', '2026-11-25', '2026-11-26'])
  const ended = { kind: 'problem', startsAt: '2026-11-24T23:00:00.000Z', endedAt: '2026-11-25T01:00:00.000Z' } as const
  expect(statesOf(ended)).toEqual([null, 'problem', 'problem', null])
  const open = { kind: 'outage', startsAt: '2026-11-25T10:00:00.000Z', endedAt: null } as const
  expect(statesOf(ended, open)).toEqual([null, 'problem', 'outage', 'outage'])
})

test('an incident that ends at midnight does not count on the next day, and an incident without duration counts on the day of its start', () => {
  const midnight = {
    kind: 'problem',
    startsAt: '2026-11-24T20:00:00.000Z',
    endedAt: '2026-11-25T00:00:00.000Z',
  } as const
  expect(statesOf(midnight)).toEqual([null, 'problem', null, null])
  const moment = { kind: 'outage', startsAt: '2026-11-25T00:00:00.000Z', endedAt: '2026-11-25T00:00:00.000Z' } as const
  expect(statesOf(moment)).toEqual([null, null, 'outage', null])
})
