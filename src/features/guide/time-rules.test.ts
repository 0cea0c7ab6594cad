import { describe, expect, test } from 'vitest'
import { isZone, offsetsOf, parseXmltvTime } from './time-rules.ts'

const utc = offsetsOf('UTC')
const read = (text: string, zone = 'UTC') => {
  const seconds = parseXmltvTime(text, zone === 'UTC' ? utc : offsetsOf(zone))
  return seconds === null ? null : new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')
}

describe('a time with an offset does not depend on the zone of the source', () => {
  test.each([
    ['20261125200000 +0000', '2026-11-25T20:00:00Z'],
    ['20261125200000 +0100', '2026-11-25T19:00:00Z'],
    ['20261125200000 -0500', '2026-11-26T01:00:00Z'],
    ['20261125200000 +0530', '2026-11-25T14:30:00Z'],
    ['20261125200000 -0330', '2026-11-25T23:30:00Z'],
    ['20261125200000 +1400', '2026-11-25T06:00:00Z'],
    ['20261125200000+0100', '2026-11-25T19:00:00Z'],
    ['20261125200000 +01:00', '2026-11-25T19:00:00Z'],
    ['20261125200000 Z', '2026-11-25T20:00:00Z'],
    ['20261125200000 UTC', '2026-11-25T20:00:00Z'],
    ['20261125200000 gmt', '2026-11-25T20:00:00Z'],
    ['202611252000 +0100', '2026-11-25T19:00:00Z'],
    ['20261125200015.5 +0100', '2026-11-25T19:00:15Z'],
    ['  20261125200000 +0100  ', '2026-11-25T19:00:00Z'],
    ['20280229000000 +0000', '2028-02-29T00:00:00Z'],
    ['20261231233000 -0100', '2027-01-01T00:30:00Z'],
  ])('%s', (text, instant) => {
    expect(read(text, 'America/New_York')).toBe(instant)
  })
})

describe('a time without a zone is in the zone of the source', () => {
  test.each([
    ['UTC', '20261125200000', '2026-11-25T20:00:00Z'],
    ['America/New_York', '20261125200000', '2026-11-26T01:00:00Z'],
    ['America/New_York', '20260725200000', '2026-07-26T00:00:00Z'],
    ['Europe/Berlin', '20261125200000', '2026-11-25T19:00:00Z'],
    ['Europe/London', '202607252000', '2026-07-25T19:00:00Z'],
    ['Asia/Kolkata', '20261125200000', '2026-11-25T14:30:00Z'],
    ['Asia/Kathmandu', '20261125200000', '2026-11-25T14:15:00Z'],
    ['Australia/Lord_Howe', '20261225200000', '2026-12-25T09:00:00Z'],
    ['Pacific/Kiritimati', '20261125200000', '2026-11-25T06:00:00Z'],
    ['America/St_Johns', '20261125200000', '2026-11-25T23:30:00Z'],
  ])('%s %s', (zone, text, instant) => {
    expect(read(text, zone)).toBe(instant)
  })
})

describe('when the clocks change', () => {
  test.each([
    ['the last minute before they go forward', 'America/New_York', '20260308015900', '2026-03-08T06:59:00Z'],
    ['a skipped time is after the change', 'America/New_York', '20260308023000', '2026-03-08T07:30:00Z'],
    ['the first minute after they went forward', 'America/New_York', '20260308030000', '2026-03-08T07:00:00Z'],
    ['the last minute before the repeated hour', 'America/New_York', '20261101005900', '2026-11-01T04:59:00Z'],
    ['a repeated time is its first occurrence', 'America/New_York', '20261101013000', '2026-11-01T05:30:00Z'],
    ['the first minute after the repeated hour', 'America/New_York', '20261101020000', '2026-11-01T07:00:00Z'],
    ['a skipped time in Europe', 'Europe/Berlin', '20260329023000', '2026-03-29T01:30:00Z'],
    ['a repeated time in Europe', 'Europe/Berlin', '20261025023000', '2026-10-25T00:30:00Z'],
    ['after the repeated hour in Europe', 'Europe/Berlin', '20261025030000', '2026-10-25T02:00:00Z'],
    ['a skipped half hour', 'Australia/Lord_Howe', '20261004021500', '2026-10-03T15:45:00Z'],
    ['a repeated half hour', 'Australia/Lord_Howe', '20260405014500', '2026-04-04T14:45:00Z'],
    ['midnight that is skipped', 'America/Santiago', '20260906003000', '2026-09-06T04:30:00Z'],
    ['the day before', 'America/New_York', '20260307120000', '2026-03-07T17:00:00Z'],
    ['the day after', 'America/New_York', '20260309120000', '2026-03-09T16:00:00Z'],
    ['a time with an offset is unaffected', 'America/New_York', '20261101013000 -0500', '2026-11-01T06:30:00Z'],
  ])('%s', (_, zone, text, instant) => {
    expect(read(text, zone)).toBe(instant)
  })

  test.each(['America/New_York', 'Australia/Lord_Howe'])(
    'every hour of a year that %s shows on its clocks is read as an instant with that time',
    (zone) => {
      const offsetAt = offsetsOf(zone)
      for (let instant = Date.UTC(2026, 0, 1); instant < Date.UTC(2027, 0, 1); instant += 3_600_000) {
        const wall = new Date(instant + offsetAt(instant) * 60_000)
        const text = wall.toISOString().replaceAll(/\D/g, '').slice(0, 14)
        const seconds = parseXmltvTime(text, offsetAt)!
        expect(seconds * 1_000 + offsetAt(seconds * 1_000) * 60_000).toBe(wall.getTime())
        expect(seconds * 1_000).toBeLessThanOrEqual(instant)
      }
    },
  )
})

test.each([
  '',
  'now',
  '2026',
  '20261125',
  '20261325200000 +0000',
  '20260230200000 +0000',
  '20270229200000 +0000',
  '20261125240000 +0000',
  '20261125206000 +0000',
  '20261125200060 +0000',
  '20261125200000 CEST',
  '20261125200000 Europe/Berlin',
  '20261125200000 +2500',
  '20261125200000 +01',
  '20261125200000 +0000 +0000',
  '00001125200000 +0000',
  '-0261125200000 +0000',
  '2026-11-25 20:00:00',
])('the time %j is rejected', (text) => {
  expect(read(text)).toBeNull()
})

test.each([
  ['America/New_York', true],
  ['UTC', true],
  ['Europe/Atlantis', false],
  ['', false],
  ['new york', false],
])('%j is a zone: %s', (name, is) => {
  expect(isZone(name)).toBe(is)
})
