import { describe, expect, test } from 'vitest'
import { formatAge, formatTimeLeft, isLate, promiseFor, timeLeft, urgencyOf, workKinds } from './rules.ts'

const now = new Date('2026-11-24T12:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

test('each kind of work has its promise in minutes', () => {
  expect(Object.fromEntries(workKinds.map((kind) => [kind, promiseFor(kind)]))).toEqual({
    payment: 1440,
    card_link: 60,
    line: 15,
    trial: 720,
    report: 1440,
    inquiry: 1440,
  })
})

test('the payment settings change the promises of payments and card links only', () => {
  const hours = { verificationHours: 48, cardHours: 2 }
  expect(workKinds.map((kind) => promiseFor(kind, hours))).toEqual([2880, 120, 15, 720, 1440, 1440])
})

test('work is late only after its last moment', () => {
  expect([timeLeft(15, ago(15), now), isLate(15, ago(15), now)]).toEqual([0, false])
  expect([timeLeft(15, ago(16), now), isLate(15, ago(16), now)]).toEqual([-60_000, true])
})

test('work is due soon from three quarters of its promise', () => {
  expect([44, 45, 60, 61].map((minutes) => urgencyOf(60, ago(minutes), now))).toEqual([
    'on_time',
    'due_soon',
    'due_soon',
    'late',
  ])
})

describe('a time is written', () => {
  test.each([
    [-5, '0 m'],
    [90, '90 m'],
    [91, '1 h'],
    [47 * 60 + 59, '47 h'],
    [48 * 60, '2 d'],
  ])('%i minutes as %s', (minutes, text) => {
    expect(formatAge(ago(minutes), now)).toBe(text)
  })

  test('as what is left and as what is late', () => {
    expect([38, 63, 300].map((minutes) => formatTimeLeft(60, ago(minutes), now))).toEqual([
      '22 min left',
      '3 min late',
      '4 h late',
    ])
  })
})
