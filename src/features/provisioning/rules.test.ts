import { describe, expect, test } from 'vitest'
import {
  backoffMinutes,
  type DesiredState,
  desiredState,
  type Entitlement,
  expiryTolerance,
  nextStep,
  retryMinutes,
} from './rules.ts'

const now = '2026-06-10T12:00:00.000Z'
const [past, soon] = ['2026-06-09T12:00:00.000Z', '2026-07-10T12:00:00.000Z']
const entitlement = (over: Partial<Entitlement> = {}): Entitlement => ({
  status: 'active',
  endDate: soon,
  planId: 1,
  connections: 2,
  months: 1,
  trialUntil: null,
  ...over,
})

describe('the desired state', () => {
  test.each<[string, Partial<Entitlement>, boolean]>([
    ['a running subscription', {}, true],
    ['a subscription that ended a day ago, within three grace days', { status: 'expired', endDate: past }, true],
    ['a subscription that ended, before the job has updated its status', { status: 'active', endDate: past }, true],
    [
      'a subscription that ended more than three grace days ago',
      { status: 'expired', endDate: '2026-06-07T12:00:00.000Z' },
      false,
    ],
    ['a subscription with the status expired before its end date', { status: 'expired' }, false],
    ['a cancelled subscription, without grace days', { status: 'cancelled' }, false],
    ['no subscription', { status: 'none', planId: null, endDate: null }, false],
    ['a pending subscription', { status: 'pending' }, false],
    ['no subscription but a trial', { status: 'none', planId: null, endDate: null, trialUntil: soon }, true],
    ['a trial that ended, without grace days', { status: 'none', planId: null, endDate: null, trialUntil: now }, false],
  ])('%s', (_, over, enabled) => {
    expect(desiredState(entitlement(over), now, 3).enabled).toBe(enabled)
  })

  test('a subscription takes precedence over a trial', () => {
    expect(desiredState(entitlement({ trialUntil: soon }), now, 3)).toMatchObject({ trial: false, connections: 2 })
  })
})

describe('the next step', () => {
  const desired: DesiredState = { enabled: true, until: soon, connections: 2, trial: false, planId: 1, months: 1 }
  const can = { suspend: true, extend: true, setConnections: true }
  const seen = { enabled: true, expiresAt: soon, connections: 2 }
  const step = (line: Partial<typeof seen> | { expiresAt: null } | { connections: null }, kind = 'xui-admin') =>
    nextStep(desired, { ...seen, ...line }, { kind, can }, 0)

  test('is null without a difference, and never shortens a line', () => {
    expect(step({})).toBeNull()
    expect(step({ expiresAt: '2027-01-01T00:00:00.000Z' })).toBeNull()
    expect(step({ expiresAt: null })).toBeNull()
    expect(step({ connections: null })).toBeNull()
  })
  test('extends first, then sets the connections, then enables', () => {
    expect(step({ expiresAt: past, connections: 1, enabled: false })).toBe('extend')
    expect(step({ connections: 1, enabled: false })).toBe('connections')
    expect(step({ enabled: false })).toBe('enable')
  })
  test('only disables when the line should be disabled', () => {
    expect(nextStep({ ...desired, enabled: false }, { ...seen, expiresAt: past }, { kind: 'xui-admin', can }, 0)).toBe(
      'disable',
    )
  })
  test('buys no period for the extra days of a calendar month', () => {
    expect(step({ expiresAt: '2026-07-08T12:00:00.000Z' }, 'xui-reseller')).toBeNull()
    expect(step({ expiresAt: past }, 'xui-reseller')).toBe('extend')
    expect(expiryTolerance({ ...desired, trial: true }, 'xui-reseller')).toBe(Number.POSITIVE_INFINITY)
  })
})

test('job retries back off up to an hour and then stop; panel retries back off up to five minutes', () => {
  expect([1, 2, 3, 4, 5].map(retryMinutes)).toEqual([1, 5, 15, 60, undefined])
  expect([1, 4, 5, 100].map(backoffMinutes)).toEqual([1, 1, 5, 5])
})
