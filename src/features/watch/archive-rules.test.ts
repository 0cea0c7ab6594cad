import { describe, expect, test } from 'vitest'
import { isInArchive } from '#features/guide/archive-rules.ts'
import { instantOf, offsetsOf } from '#features/guide/time-rules.ts'
import {
  archiveForms,
  archiveParts,
  archiveRange,
  formsToTry,
  type PanelClock,
  panelClock,
  panelTime,
} from './archive-rules.ts'

const now = Date.parse('2026-11-25T20:00:00Z')
const zones = ['America/New_York', 'Europe/Paris', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'UTC']
// Before and after the clock changes in these zones, and at ordinary times.
const instants = [
  '2026-03-08T06:59:00Z',
  '2026-03-08T07:00:00Z',
  '2026-03-29T00:59:00Z',
  '2026-03-29T01:00:00Z',
  '2026-04-04T14:45:00Z',
  '2026-10-03T15:30:00Z',
  '2026-10-24T23:30:00Z',
  '2026-10-25T00:30:00Z',
  '2026-11-01T05:30:00Z',
  '2026-11-01T06:30:00Z',
  '2026-07-01T12:00:00Z',
  '2026-11-25T19:45:00Z',
]
const line = { username: 'a b', password: 'c/d', stream: '7' }

describe.each(zones)('on a panel in %s', (zone) => {
  const clock: PanelClock = { zone, offsetMinutes: null }

  test.each(instants)('every form of the recording address requests %s, or the time is marked as uncertain', (text) => {
    const at = Date.parse(text)
    const { wall, isSure } = panelTime(at, clock, now)
    for (const form of archiveForms) {
      const { path, query } = archiveParts(form, line, { ...archiveRange(at, at + 1_800_000), wall })
      const start = query.start ?? path[4]
      const [, date, hours, minutes] = /^(\d{4}-\d\d-\d\d)[:_](\d\d)-(\d\d)(-00)?$/.exec(start ?? '') ?? []
      const asked =
        form === 'utc'
          ? Number(query.utc) * 1000
          : // If an hour occurs twice, panels use the first one.
            instantOf(Date.parse(`${date}T${hours}:${minutes}:00Z`), offsetsOf(zone))
      if (form === 'utc' || isSure) expect(new Date(asked).toISOString()).toBe(new Date(at).toISOString())
      else expect(at - asked).toBeGreaterThanOrEqual(1_800_000)
    }
  })
})

test('when the clocks go back, only the second of the two identical hours is uncertain', () => {
  const unsure = zones.map((zone) =>
    instants.filter((text) => !panelTime(Date.parse(text), { zone, offsetMinutes: null }, now).isSure),
  )
  expect(unsure).toEqual([['2026-11-01T06:30:00Z'], [], [], [], [], []])
  expect(panelTime(Date.parse('2026-10-25T01:30:00Z'), { zone: 'Europe/Paris', offsetMinutes: null }, now).isSure).toBe(
    false,
  )
})

test('with an offset but no zone, only times of today are certain; with neither, no time is', () => {
  const clock = { zone: null, offsetMinutes: -300 }
  expect(panelTime(now - 3_600_000, clock, now)).toEqual({ wall: now - 3_600_000 - 300 * 60_000, isSure: true })
  expect(panelTime(now - 86_400_000, clock, now).isSure).toBe(false)
  expect(panelTime(now, { zone: null, offsetMinutes: null }, now)).toEqual({ wall: now, isSure: false })
  expect(formsToTry('colon', false)).toEqual(['utc', 'colon', 'underscore', 'seconds'])
  expect(formsToTry(null, false)).toEqual(['utc', 'colon', 'underscore', 'seconds', 'query'])
  expect(formsToTry('underscore', true)).toEqual(['underscore', 'colon', 'seconds', 'utc'])
  expect(formsToTry(null, true)).toEqual(['colon', 'underscore', 'seconds', 'utc', 'query'])
})

test.each<[string, Record<string, unknown>, PanelClock]>([
  [
    'a zone that agrees with its times',
    { timezone: 'America/New_York', time_now: '2026-11-25 15:00:00', timestamp_now: now / 1000 },
    { zone: 'America/New_York', offsetMinutes: -300 },
  ],
  [
    'numbers as strings',
    { timezone: 'Europe/Paris', time_now: '2026-11-25 21:00:07', timestamp_now: `${now / 1000}` },
    { zone: 'Europe/Paris', offsetMinutes: 60 },
  ],
  [
    'a zone that contradicts its times',
    { timezone: 'Europe/Berlin', time_now: '2026-11-25 20:00:00', timestamp_now: now / 1000 },
    { zone: null, offsetMinutes: 0 },
  ],
  [
    'an unknown zone',
    { timezone: 'Mars/Base', time_now: '2026-11-25 22:00:00', timestamp_now: now / 1000 },
    { zone: null, offsetMinutes: 120 },
  ],
  ['no times', { timezone: 'Asia/Kolkata' }, { zone: 'Asia/Kolkata', offsetMinutes: null }],
  [
    'a time with its own zone',
    { timezone: 'Asia/Kolkata', time_now: '2026-11-25T20:00:00.000Z', timestamp_now: now / 1000 },
    { zone: 'Asia/Kolkata', offsetMinutes: null },
  ],
  ['nonsense', { timezone: 7, time_now: {}, timestamp_now: 'x' }, { zone: null, offsetMinutes: null }],
])('the clock of a panel that reports %s is read', (_, info, expected) => {
  expect(panelClock(info, now)).toEqual(expected)
})

test('a recording is requested from the full minute of its start until five minutes after its end, 480 minutes at most', () => {
  const at = Date.parse('2026-11-25T18:00:42Z')
  expect(archiveRange(at, Date.parse('2026-11-25T19:00:00Z'))).toEqual({
    startsAt: at - 42_000,
    skipMs: 42_000,
    minutes: 65,
  })
  expect(archiveRange(at, at + 86_400_000).minutes).toBe(480)
})

test('a program is offered if the archive covers its start, and if it has ended or began at least three minutes ago', () => {
  const program = (from: string, to: string) => ({ startsAt: `2026-11-${from}:00Z`, endsAt: `2026-11-${to}:00Z` })
  expect(isInArchive(program('25T18:00', '25T19:00'), 24, now)).toBe(true)
  expect(isInArchive(program('25T18:00', '25T19:00'), 0, now)).toBe(false)
  expect(isInArchive(program('24T19:59', '24T21:00'), 24, now)).toBe(false)
  expect(isInArchive(program('25T19:58', '25T21:00'), 24, now)).toBe(false)
  expect(isInArchive(program('25T19:57', '25T21:00'), 24, now)).toBe(true)
  expect(isInArchive(program('25T19:58', '25T19:59'), 24, now)).toBe(true)
  expect(isInArchive(program('25T20:01', '25T21:00'), 24, now)).toBe(false)
})
