import { describe, expect, test } from 'vitest'
import { isDone, leftText, parseProgressRef, progressRef, resumePosition } from './rules.ts'

const startsAt = '2026-11-28T20:00:00.000Z'

describe('a reference to a program in the archive', () => {
  test('contains the channel and the start of the program, and can be parsed', () => {
    expect(progressRef({ channelId: 12, startsAt })).toBe(`12-${Date.parse(startsAt)}`)
    expect(parseProgressRef(`12-${Date.parse(startsAt)}`)).toEqual({ channelId: 12, startsAt })
    expect(parseProgressRef(`2147483647-${Date.UTC(2099, 11, 31)}`)).toBeDefined()
  })

  test.each([
    '',
    '12',
    '12-',
    '-1796000000000',
    '0-1796000000000',
    '012-1796000000000',
    '2147483648-1796000000000',
    '12-0',
    '12-99999999999',
    '12-01796000000000',
    '12-4102444800000',
    '12-17960000000000',
    '12-1796000000000.5',
    '12-1796000000000 ',
    '1e3-1796000000000',
    `12-${startsAt}`,
  ])('is not %j', (ref) => {
    expect(parseProgressRef(ref)).toBeUndefined()
  })
})

test.each([
  ['in the last minute of an hour', 59 * 60_000, 60, true],
  ['before the last minute of an hour, but after 95 %', 58 * 60_000, 60, true],
  ['at 95 % of an hour', 57 * 60_000, 60, false],
  ['after 95 % of two hours', 115 * 60_000, 120, true],
  ['in the middle', 30 * 60_000, 60, false],
  ['in the last minute of ten minutes', 9 * 60_000, 10, true],
  ['at the end', 60 * 60_000, 60, true],
  ['at the start of a one-minute program', 0, 1, true],
])('a viewer %s (%i ms of %i minutes) has watched the program: %s', (_, positionMs, minutes, done) => {
  expect(isDone(positionMs, minutes * 60_000)).toBe(done)
})

test('playback resumes five seconds before the stored position, but never before the start of the program', () => {
  expect([60_000, 5_000, 4_999, 0].map(resumePosition)).toEqual([55_000, 0, 0, 0])
})

test('the remaining time is shown in hours or minutes', () => {
  const minutes = (at: number) => leftText({ lengthMs: 120 * 60_000, positionMs: at * 60_000 })
  expect([0, 60, 78.5, 119.9].map(minutes)).toEqual(['2 hr left', '1 hr left', '42 min left', '1 min left'])
})
