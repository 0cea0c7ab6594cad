import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { HourlyLimit, Pace } from './pace.ts'

it('the first 1,000 emails within an hour are read without a pause, the rest slowly, and the next hour starts without a pause', () => {
  const pace = new Pace()
  const waits = Array.from({ length: 1_002 }, (_, at) => pace.next(at))
  expect(waits.slice(0, 1_000).every((wait) => wait === 0)).toBe(true)
  expect(waits.slice(1_000)).toEqual([limits.mailbox.slowMs, limits.mailbox.slowMs])
  expect(pace.next(3_600_000 + limits.mailbox.slowMs + 1_100)).toBe(0)
})

it('a limit of two per hour refuses a third event until the first is an hour old', () => {
  const limit = new HourlyLimit(2)
  expect([0, 1_000, 2_000, 3_600_000, 3_600_500].map((now) => limit.take(now))).toEqual([
    true,
    true,
    false,
    true,
    false,
  ])
})
