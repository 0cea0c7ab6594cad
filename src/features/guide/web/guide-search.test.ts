import { expect, test } from 'vitest'
import { listedTime } from './guide-search.ts'

const zone = 'America/New_York'
const now = Date.parse('2026-11-24T01:37:00Z')

test('the list shows the time in the URL, or else 6 PM; today it shows what is on now, even if the URL names the day', () => {
  expect(listedTime({ at: '2026-11-24T03:00:00.000Z' }, '2026-11-23', now, zone)).toBe(Date.parse('2026-11-24T03:00Z'))
  expect(listedTime({ day: '2026-11-24' }, '2026-11-24', now, zone)).toBe(Date.parse('2026-11-24T23:00Z'))
  expect(listedTime({}, '2026-11-23', now, zone)).toBeUndefined()
  expect(listedTime({ day: '2026-11-23' }, '2026-11-23', now, zone)).toBeUndefined()
})
