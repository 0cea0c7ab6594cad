import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addMonths } from '#kit/dates.ts'
import { type Activation, afterActivation, type SubscriptionState } from './rules.ts'

const none: SubscriptionState = { planId: null, status: 'none', startDate: null, endDate: null, maxConnections: null }
const purchase = (effectiveAt: string, months = 1, planId = 7): Activation => ({
  kind: 'purchase',
  planId,
  months,
  connections: 2,
  keepsPeriod: false,
  effectiveAt,
})
const noon = '2026-03-10T12:00:00.000Z'

describe('a subscription after a payment', () => {
  test('a new customer starts at the payment date and ends after the calendar months', () => {
    expect(afterActivation(none, purchase(noon, 3))).toEqual({
      planId: 7,
      status: 'active',
      startDate: noon,
      endDate: '2026-06-10T12:00:00.000Z',
      maxConnections: 2,
    })
  })

  test('an active one keeps its start and is extended from its current end', () => {
    const running = afterActivation(none, purchase(noon, 1))
    const extended = afterActivation(running, purchase('2026-03-20T09:00:00.000Z', 6, 9))
    expect(extended).toMatchObject({ planId: 9, startDate: noon, endDate: '2026-10-10T12:00:00.000Z' })
  })

  test('a lapsed one starts again at the payment date, even when nobody has marked it expired', () => {
    const lapsed: SubscriptionState = {
      planId: 1,
      status: 'active',
      startDate: '2026-01-01T00:00:00.000Z',
      endDate: '2026-02-01T00:00:00.000Z',
      maxConnections: 1,
    }
    expect(afterActivation(lapsed, purchase(noon)).startDate).toBe(noon)
    expect(afterActivation({ ...lapsed, status: 'expired' }, purchase(noon)).startDate).toBe(noon)
    expect(afterActivation({ ...lapsed, status: 'cancelled', endDate: '2027-02-01T00:00:00.000Z' }, purchase(noon)).startDate).toBe(noon)
  })

  test('a change within the same period keeps the dates and swaps the plan', () => {
    const running = afterActivation(none, purchase(noon, 3))
    const changed = afterActivation(running, {
      kind: 'plan_change',
      planId: 8,
      months: 3,
      connections: 5,
      keepsPeriod: true,
      effectiveAt: '2026-04-01T00:00:00.000Z',
    })
    expect(changed).toEqual({ ...running, planId: 8, maxConnections: 5 })
  })

  test('a change to another period starts a new period when paid', () => {
    const running = afterActivation(none, purchase(noon, 3))
    const changed = afterActivation(running, {
      kind: 'plan_change',
      planId: 8,
      months: 12,
      connections: 5,
      keepsPeriod: false,
      effectiveAt: '2026-04-01T00:00:00.000Z',
    })
    expect(changed).toMatchObject({ startDate: '2026-04-01T00:00:00.000Z', endDate: '2027-04-01T00:00:00.000Z' })
  })

  test('payments made while it runs add up: no bought month is ever lost', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }), (months) => {
        const end = months.reduce((state, m) => afterActivation(state, purchase(noon, m)), none).endDate
        const whole = months.reduce((date, m) => addMonths(date, m), noon)
        expect(end).toBe(whole)
      }),
    )
  })
})
