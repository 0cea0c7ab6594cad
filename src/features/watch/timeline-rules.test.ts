import { expect, test } from 'vitest'
import { formatPlaybackTime, timeText, valueText } from './timeline-rules.ts'

const from = Date.parse('2026-11-25T20:00:00Z')
const at = (minutes: number) => from + minutes * 60_000
const times = { from, to: at(45), at: at(20), live: at(23), isRecording: false }

test('positions in a program and the remaining time are shown as text', () => {
  expect([0, 59_999, 60_000, 3_600_000, 7_261_000, -5].map(formatPlaybackTime)).toEqual([
    '0:00',
    '0:59',
    '1:00',
    '1:00:00',
    '2:01:01',
    '0:00',
  ])
  expect(valueText(times)).toBe('20:00 of 45 minutes, live is 3 minutes ahead')
  expect(valueText({ ...times, at: at(23) })).toBe('23:00 of 45 minutes, live')
  expect(valueText({ ...times, live: at(60) })).toBe('20:00 of 45 minutes')
  expect(timeText(times)).toBe('−3:00')
  expect(timeText({ ...times, at: at(23) })).toBe('22 min left')
  expect(timeText({ ...times, isRecording: true })).toBe('20:00 / 45:00')
})
