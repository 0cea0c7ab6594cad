import { describe, expect, test } from 'vitest'
import type { Plan } from '#features/catalog/contract.ts'
import type { SubscriptionState } from '../rules.ts'
import { initialValues, isUnchanged, onePeriod, requestBody, subscriptionForm } from './subscription-form.ts'

const shown: SubscriptionState = {
  planId: 4,
  status: 'active',
  startDate: '2026-01-31T10:20:30.123Z',
  endDate: '2099-02-28T10:20:30.123Z',
  maxConnections: 3,
}
const plan = { id: 9, months: 1 } as Plan
const messages = (form: object) =>
  subscriptionForm(shown)
    .safeParse({ ...initialValues(shown), ...form })
    .error?.issues.map(({ path, message }) => [path.join('.'), message])

describe('the subscription dialog', () => {
  test('starts with the current state and dates in UTC, and counts as unchanged', () => {
    expect(initialValues(shown)).toEqual({
      planId: '4',
      status: 'active',
      startDate: '2026-01-31',
      endDate: '2099-02-28',
    })
    expect(isUnchanged(shown, initialValues(shown))).toBe(true)
    expect(initialValues({ ...shown, planId: null, endDate: null })).toMatchObject({ planId: 'none', endDate: '' })
  })

  test('shows the same errors as the server on the same fields', () => {
    expect(messages({ planId: 'none' })).toEqual([['planId', 'An active subscription needs a plan']])
    expect(messages({ endDate: '' })).toEqual([['endDate', 'An active subscription needs an end date']])
    expect(messages({ endDate: '2026-02-01' })).toEqual([['endDate', 'An active subscription must end in the future']])
    expect(messages({ startDate: '2026-02-30' })).toEqual([['startDate', 'Please enter a valid date']])
    expect(messages({ status: 'cancelled', endDate: '' })).toBeUndefined()
  })

  test('fills in one period of a plan, which ends on the last day of the month if that month is shorter', () => {
    expect(onePeriod(plan, new Date('2027-01-31T15:00:00Z'))).toEqual({
      planId: '9',
      status: 'active',
      startDate: '2027-01-31',
      endDate: '2027-02-28',
    })
  })

  test('sends No Plan as null, and the displayed state as the expected state', () => {
    expect(requestBody(shown, { ...initialValues(shown), planId: 'none', status: 'none' })).toEqual({
      planId: null,
      status: 'none',
      startDate: '2026-01-31',
      endDate: '2099-02-28',
      expected: { planId: 4, status: 'active', startDate: shown.startDate, endDate: shown.endDate },
    })
  })
})
