import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { periodAt } from './rules.ts'
import { isRunning } from './running-rules.ts'

const start = '2026-03-01T12:00:00.000Z'
const end = '2026-03-31T12:00:00.000Z'
const at = (text: string) => new Date(text)

describe('a subscription is running', () => {
  test.each(['pending', 'expired', 'cancelled', 'none'] as const)('never with the status %s', (subscriptionStatus) => {
    expect(isRunning({ subscriptionStatus, subscriptionEndDate: end }, at(start))).toBe(false)
  })
  test('exactly until its end date, even if the job has not updated the status yet', () => {
    const active = { subscriptionStatus: 'active' as const, subscriptionEndDate: end }
    expect(isRunning(active, at('2026-03-31T11:59:59.999Z'))).toBe(true)
    expect(isRunning(active, at(end))).toBe(false)
  })
  test('without limit if it has no end date', () => {
    expect(isRunning({ subscriptionStatus: 'active', subscriptionEndDate: null }, at('2099-01-01T00:00:00.000Z'))).toBe(
      true,
    )
  })
})

describe('a period in days', () => {
  test('has all days left at its start and no days left after its end', () => {
    expect(periodAt(start, end, at(start))).toEqual({ usedDays: 0, totalDays: 30, leftDays: 30 })
    expect(periodAt(start, end, at('2026-04-20T00:00:00.000Z'))).toEqual({ usedDays: 30, totalDays: 30, leftDays: 0 })
  })
  test('has one day left in its last hour', () => {
    expect(periodAt(start, end, at('2026-03-31T11:00:00.000Z')).leftDays).toBe(1)
  })
  test('has all days left before its start, and no days if its end is before its start', () => {
    expect(periodAt(start, end, at('2026-01-01T00:00:00.000Z'))).toEqual({ usedDays: 0, totalDays: 30, leftDays: 30 })
    expect(periodAt(end, start, at(start))).toEqual({ usedDays: 0, totalDays: 0, leftDays: 0 })
  })
  test('is the sum of its used days and its remaining days', () => {
    const instant = fc.date({
      min: at('2020-01-01T00:00:00.000Z'),
      max: at('2040-01-01T00:00:00.000Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(instant, instant, instant, (from, to, now) => {
        const { usedDays, totalDays, leftDays } = periodAt(from.toISOString(), to.toISOString(), now)
        expect(usedDays + leftDays).toBe(totalDays)
        expect(Math.min(usedDays, leftDays)).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})
