import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addMonths } from '#kit/dates.ts'
import { roundCount } from '../../../test/harness/scale.ts'
import { changeSequence, priceChange } from './server/paid-time/change.ts'
import { period, purchasedSegment } from './server/paid-time/purchase.ts'
import { allocate, type Segment, splitAt } from './server/paid-time/segment.ts'

type Sold = { price: number; months: number }
let serial = 0
/** Returns a segment for a whole paid period. `paid` is in cents and defaults to the list price. */
const sold = ({ price, months }: Sold, startsAt: string, paid = price): Segment => ({
  ...{ id: ++serial, activationId: serial, planId: 1, months, connections: 1, closed: false, withdrawn: false },
  ...period(startsAt, months),
  ...{ listCents: price, paidCents: paid },
})
const monthly = (price: number) => ({ price, months: 1 })
const june = '2026-06-01T00:00:00.000Z'
const june11 = '2026-06-11T00:00:00.000Z'
const next = ({ price, months }: Sold) => ({ id: 2, price, months, connections: 3 })
const sum = (segments: { paidCents: number }[]) => segments.reduce((cents, { paidCents }) => cents + paidCents, 0)

describe('a change to a plan of the same length', () => {
  test('costs the difference for the remaining days, and keeps the end', () => {
    expect(priceChange([sold(monthly(1_500), june)], monthly(3_000), june11)).toMatchObject({
      ...{ keepsPeriod: true, charge: 1_000, credit: 0, leftDays: 20, periodDays: 30 },
    })
  })

  test('costs nothing if it is cheaper, and returns the difference as credit', () => {
    expect(priceChange([sold(monthly(3_000), june)], monthly(1_500), june11)).toMatchObject({
      charge: 0,
      credit: 1_000,
    })
  })

  test('costs the whole difference on the first day, even in a shorter calendar month', () => {
    const january31 = '2026-01-31T12:00:00.000Z'
    expect(priceChange([sold(monthly(1_499), january31)], monthly(4_099), january31)).toMatchObject({
      charge: 2_600,
      leftDays: 28,
      periodDays: 28,
    })
  })

  test('gives no credit for granted or discounted cents, but deducts their list value from the cost', () => {
    expect(priceChange([sold(monthly(3_000), june, 0)], monthly(1_500), june11)).toMatchObject({ charge: 0, credit: 0 })
    expect(priceChange([sold(monthly(3_000), june, 0)], monthly(6_000), june11)).toMatchObject({
      charge: 2_000,
      credit: 0,
    })
    expect(priceChange([sold(monthly(3_000), june, 2_550)], monthly(1_500), june11)).toMatchObject({
      charge: 0,
      credit: 700,
    })
  })

  test('applies to every remaining period, each at its own length', () => {
    const first = sold(monthly(1_500), june)
    const queued = sold(monthly(1_500), first.endsAt)
    const change = { at: june11, from: june11 }
    expect(priceChange([first, queued], monthly(3_000), june11).charge).toBe(2_500)
    const { replaced, created } = changeSequence([first, queued], next(monthly(3_000)), change)
    expect(replaced).toEqual([first.id, queued.id])
    expect(
      created.map(({ planId, startsAt, endsAt, listCents, paidCents }) => [
        planId,
        startsAt,
        endsAt,
        listCents,
        paidCents,
      ]),
    ).toEqual([
      [1, june, june11, 500, 500],
      [2, june11, first.endsAt, 2_000, 2_000],
      [2, first.endsAt, queued.endsAt, 3_000, 3_000],
    ])
  })
})

describe('a change to a plan of another length', () => {
  test('costs the new price less the unused part of the old price', () => {
    expect(
      priceChange([sold(monthly(3_000), june)], { price: 5_000, months: 3 }, '2026-06-16T00:00:00.000Z'),
    ).toMatchObject({
      ...{ keepsPeriod: false, unusedList: 1_500, unusedPaid: 1_500, charge: 3_500, credit: 0 },
    })
  })

  test('returns the rest of the unused amount as credit if the new plan costs less', () => {
    const january = '2026-01-01T00:00:00.000Z'
    expect(priceChange([sold({ price: 12_000, months: 12 }, january)], monthly(1_500), january)).toMatchObject({
      charge: 0,
      credit: 10_500,
    })
  })

  test('starts a new period when it takes effect, and closes the current period', () => {
    const { created } = changeSequence([sold(monthly(3_000), june)], next({ price: 5_000, months: 3 }), {
      at: june11,
      from: june11,
    })
    expect(created.map(({ startsAt, endsAt, closed, paidCents }) => [startsAt, endsAt, closed, paidCents])).toEqual([
      [june, june11, true, 1_000],
      [june11, addMonths(june11, 3), false, 5_000],
    ])
  })
})

test('a purchase starts at the end of the remaining time, or at its payment if no time remains', () => {
  const bought = { planId: 2, months: 1, connections: 5, listCents: 4_099, paidCents: 4_099 }
  const year = sold({ price: 11_999, months: 12 }, june)
  expect(purchasedSegment([year], bought, june11)).toMatchObject({
    startsAt: year.endsAt,
    endsAt: addMonths(year.endsAt, 1),
    connections: 5,
  })
  expect(purchasedSegment([year], bought, '2028-01-01T00:00:00.000Z')).toMatchObject({
    startsAt: '2028-01-01T00:00:00.000Z',
  })
})

const price = fc.integer({ min: 0, max: 10_000_000 })
const months = fc.constantFrom(1, 3, 6, 12)
const moment = fc.date({
  min: new Date('2020-01-01T00:00:00Z'),
  max: new Date('2040-12-31T23:59:59Z'),
  noInvalidDate: true,
})
const part = fc.double({ min: 0, max: 1, noNaN: true })
const at = (from: string, to: string, share: number) =>
  new Date(Date.parse(from) + share * (Date.parse(to) - Date.parse(from) - 1)).toISOString()

test('every plan change conserves paid cents, adds at most the charge to the list value, and charges at most its cost', () => {
  const bought = fc.record({ price, months, discount: part })
  fc.assert(
    fc.property(
      moment,
      fc.array(bought, { minLength: 1, maxLength: 3 }),
      price,
      months,
      part,
      part,
      (from, all, newPrice, newMonths, share, delay) => {
        let start = from.toISOString()
        const segments = all.map((each) => {
          const segment = sold(each, start, Math.floor(each.price * each.discount))
          start = segment.endsAt
          return segment
        })
        const now = at(segments[0]!.startsAt, segments[0]!.endsAt, share)
        const change = priceChange(segments, { price: newPrice, months: newMonths }, now)
        const { charge, credit, cost, unusedPaid, unusedList } = change
        expect(Number.isInteger(charge) && Number.isInteger(credit)).toBe(true)
        expect(charge).toBeGreaterThanOrEqual(0)
        expect(charge).toBeLessThanOrEqual(cost)
        expect(credit).toBeLessThanOrEqual(unusedPaid)
        expect(charge === 0 || credit === 0).toBe(true)
        const effect = at(now, segments[0]!.endsAt, delay)
        const { replaced, created } = changeSequence(segments, next({ price: newPrice, months: newMonths }), {
          at: now,
          from: effect,
        })
        expect(replaced).toEqual(segments.map(({ id }) => id))
        expect(sum(created)).toBe(sum(segments) + charge - credit)
        const made = created.filter(({ planId }) => planId === 2).reduce((cents, { listCents }) => cents + listCents, 0)
        expect(made + credit).toBeLessThanOrEqual(unusedList + charge)
        for (const { listCents, paidCents, startsAt, endsAt } of created) {
          expect(paidCents).toBeGreaterThanOrEqual(0)
          expect(paidCents).toBeLessThanOrEqual(listCents)
          expect(startsAt < endsAt).toBe(true)
        }
      },
    ),
    { numRuns: roundCount('PLAN_CHANGES', { short: 1_000, full: 10_000 }) },
  )
})

test('the parts of a split segment add up to its cents, and no part has more paid cents than list cents', () => {
  fc.assert(
    fc.property(moment, price, months, part, part, (from, listCents, length, discount, share) => {
      const segment = sold({ price: listCents, months: length }, from.toISOString(), Math.floor(listCents * discount))
      const cut = new Date(Date.parse(at(segment.startsAt, segment.endsAt, share)) + 1).toISOString()
      const [head, tail] = splitAt(segment, cut)
      expect([head.listCents + tail.listCents, head.paidCents + tail.paidCents]).toEqual([
        segment.listCents,
        segment.paidCents,
      ])
      expect(head.paidCents <= head.listCents && tail.paidCents <= tail.listCents).toBe(true)
    }),
  )
})

test('shares of an amount add up to it and never exceed their weights', () => {
  fc.assert(
    fc.property(fc.array(price, { minLength: 1, maxLength: 6 }), part, (weights, share) => {
      const cents = Math.floor(weights.reduce((total, weight) => total + weight, 0) * share)
      const shares = allocate(cents, weights)
      expect(shares.reduce((total, each) => total + each, 0)).toBe(cents)
      for (const [index, each] of shares.entries()) expect(each).toBeLessThanOrEqual(weights[index]!)
    }),
  )
})
