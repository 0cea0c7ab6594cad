import { describe, expect, test } from 'vitest'
import {
  formatAge,
  formatTimeLeft,
  type HealthFacts,
  healthOf,
  isLate,
  mostUrgent,
  promiseFor,
  timeLeft,
  urgencyOf,
  workKinds,
} from './rules.ts'

const now = new Date('2026-11-24T12:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

test('each kind of work has a promised time in minutes', () => {
  expect(Object.fromEntries(workKinds.map((kind) => [kind, promiseFor(kind)]))).toEqual({
    payment: 1440,
    card_link: 60,
    received: 1440,
    line: 15,
    trial: 720,
    report: 1440,
    inquiry: 1440,
    ticket: 480,
  })
})

test('the payment settings change only the promised times of orders, card links and received payments', () => {
  const hours = { verificationHours: 48, cardHours: 2 }
  expect(workKinds.map((kind) => promiseFor(kind, hours))).toEqual([2880, 120, 2880, 15, 720, 1440, 1440, 480])
})

test('work is late only after its promised time has ended', () => {
  expect([timeLeft(15, ago(15), now), isLate(15, ago(15), now)]).toEqual([0, false])
  expect([timeLeft(15, ago(16), now), isLate(15, ago(16), now)]).toEqual([-60_000, true])
})

test('work is due soon after three quarters of its promised time', () => {
  expect([44, 45, 60, 61].map((minutes) => urgencyOf(60, ago(minutes), now))).toEqual([
    'on_time',
    'due_soon',
    'due_soon',
    'late',
  ])
})

describe('a duration is formatted', () => {
  test.each([
    [-5, '0 m'],
    [90, '90 m'],
    [91, '1 h'],
    [47 * 60 + 59, '47 h'],
    [48 * 60, '2 d'],
  ])('from %i minutes to %s', (minutes, text) => {
    expect(formatAge(ago(minutes), now)).toBe(text)
  })

  test('with the word "left" before and "late" after the end of the promised time', () => {
    expect([38, 63, 300].map((minutes) => formatTimeLeft(60, ago(minutes), now))).toEqual([
      '22 min left',
      '3 min late',
      '4 h late',
    ])
  })
})

test('of several kinds of work, the one with the least time left is the most urgent', () => {
  const none = { count: 0, oldest: null as string | null, promiseMinutes: 1440 }
  const waiting = (minutes: number, promiseMinutes: number) => ({
    count: 1,
    oldest: ago(minutes).toISOString() as string | null,
    promiseMinutes,
  })
  const counts = {
    payment: waiting(300, 1440),
    card_link: waiting(50, 60),
    received: none,
    line: none,
    trial: none,
    report: none,
    inquiry: none,
    ticket: none,
  }
  expect(mostUrgent(['payment', 'card_link'], counts, now)).toEqual(counts.card_link)
  expect(mostUrgent(['line', 'trial'], counts, now)).toBeUndefined()
})

describe('the health list', () => {
  const fine: HealthFacts = {
    panel: { downSince: null },
    mail: { isSetUp: true, failedAt: ago(25 * 60).toISOString(), dueSince: ago(15).toISOString() },
    backup: { at: ago(48 * 60).toISOString() },
    mailbox: null,
  }
  test('has only the state ok within the limits', () => {
    expect(new Set(healthOf(fine, now).map(({ state }) => state))).toEqual(new Set(['ok']))
  })
  test('starts with the worst state', () => {
    const facts: HealthFacts = {
      panel: { downSince: ago(30).toISOString() },
      mail: { isSetUp: false, failedAt: null, dueSince: null },
      backup: { at: ago(72 * 60).toISOString() },
      mailbox: { unreadSince: ago(20).toISOString(), isPaused: false },
    }
    expect(healthOf(facts, now).map(({ text }) => text)).toEqual([
      'Panel not responding for 30 min',
      'Payment mailbox not read for 20 min',
      'No mail server set up',
      'Last backup 3 d ago',
      'Database available',
    ])
  })
  test.each([
    [{ ...fine.mail, dueSince: ago(16).toISOString() }, 'bad', 'Email is delayed'],
    [{ ...fine.mail, failedAt: ago(23 * 60).toISOString() }, 'warn', 'Some emails failed'],
  ])('reports email %o as %s', (mail, state, text) => {
    expect(healthOf({ ...fine, mail }, now)[0]).toEqual({ part: 'mail', state, text })
  })
  test('leaves out the panel if provisioning is manual, and reports a missing backup', () => {
    expect(healthOf({ ...fine, panel: null, backup: { at: null } }, now).map(({ text }) => text)).toEqual([
      'No backup yet',
      'Email working',
      'Database available',
    ])
  })
})
