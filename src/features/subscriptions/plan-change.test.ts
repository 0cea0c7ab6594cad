import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addMonths } from '#kit/dates.ts'
import { planChange } from './rules.ts'

const monthly = (price: number) => ({ price, months: 1 })
const june = { startDate: '2026-06-01T00:00:00.000Z', endDate: '2026-07-01T00:00:00.000Z' }

describe('a change to a plan of the same length', () => {
  test('costs the difference for the days that are left, and the end stays', () => {
    expect(planChange(monthly(1_500), monthly(3_000), { ...june, now: '2026-06-11T00:00:00.000Z' })).toMatchObject({
      keepsPeriod: true,
      charge: 1_000,
      credit: 0,
      leftDays: 20,
      periodDays: 30,
    })
  })

  test('to a cheaper one costs nothing and gives the difference back as credit', () => {
    expect(planChange(monthly(3_000), monthly(1_500), { ...june, now: '2026-06-11T00:00:00.000Z' })).toMatchObject({ charge: 0, credit: 1_000 })
  })

  test('on the first day costs the whole difference, in a clamped month too', () => {
    const february = { startDate: '2026-01-31T12:00:00.000Z', endDate: '2026-02-28T12:00:00.000Z', now: '2026-01-31T12:00:00.000Z' }
    expect(planChange(monthly(1_499), monthly(4_099), february)).toMatchObject({ charge: 2_600, leftDays: 28, periodDays: 28 })
  })
})

describe('a change to a plan of another length', () => {
  test('costs the new price less the unused part of the old', () => {
    expect(planChange(monthly(3_000), { price: 5_000, months: 3 }, { ...june, now: '2026-06-16T00:00:00.000Z' })).toMatchObject({
      keepsPeriod: false,
      unused: 1_500,
      charge: 3_500,
      credit: 0,
    })
  })

  test('down to a short one gives back what is left of a long one', () => {
    const year = { startDate: '2026-01-01T00:00:00.000Z', endDate: '2027-01-01T00:00:00.000Z', now: '2026-01-01T00:00:00.000Z' }
    expect(planChange({ price: 12_000, months: 12 }, monthly(1_500), year)).toMatchObject({ charge: 0, credit: 10_500 })
  })
})

test('for every pair of plans and every day of a period: no cent is made or lost, and nobody pays more than the new price', () => {
  const price = fc.integer({ min: 0, max: 10_000_000 })
  const months = fc.constantFrom(1, 3, 6, 12)
  const start = fc.date({ min: new Date('2020-01-01T00:00:00Z'), max: new Date('2040-12-31T23:59:59Z'), noInvalidDate: true })
  fc.assert(
    fc.property(price, price, months, months, start, fc.double({ min: 0, max: 1, noNaN: true }), (oldPrice, newPrice, oldMonths, newMonths, from, share) => {
      const startDate = from.toISOString()
      const endDate = addMonths(startDate, oldMonths)
      const now = new Date(Date.parse(startDate) + share * (Date.parse(endDate) - Date.parse(startDate))).toISOString()
      const { charge, credit, unused, leftDays, periodDays, keepsPeriod } = planChange(
        { price: oldPrice, months: oldMonths },
        { price: newPrice, months: newMonths },
        { startDate, endDate, now },
      )
      expect(leftDays).toBeLessThanOrEqual(periodDays)
      expect(charge).toBeGreaterThanOrEqual(0)
      expect(charge).toBeLessThanOrEqual(newPrice)
      expect(credit).toBeLessThanOrEqual(oldPrice)
      expect(charge === 0 || credit === 0).toBe(true)
      if (!keepsPeriod) expect(charge - credit).toBe(newPrice - unused)
      expect(Number.isInteger(charge) && Number.isInteger(credit)).toBe(true)
    }),
    { numRuns: 100_000 },
  )
})
