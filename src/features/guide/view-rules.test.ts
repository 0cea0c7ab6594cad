import { describe, expect, test } from 'vitest'
import { clockRange, clockTime, instantAt, localDate, localHour } from '#kit/clock.ts'
import { cellLabel, rowCells } from './grid-rules.ts'
import { detailOf, durationText, timeLeft, titleQuery } from './rules.ts'
import {
  dayRange,
  dayText,
  gridRange,
  guideDay,
  guideDays,
  listTimes,
  readAtText,
  shownDay,
  startOfHalfHour,
} from './view-rules.ts'

const zone = 'America/New_York'
const at = (text: string) => Date.parse(text)

describe('days of the guide', () => {
  test('begin at 6 AM; earlier hours belong to the day before', () => {
    expect(guideDay(at('2026-11-24T10:59:00Z'), zone)).toBe('2026-11-23')
    expect(guideDay(at('2026-11-24T11:00:00Z'), zone)).toBe('2026-11-24')
  })

  test('have 23 and 25 hours when the clock changes', () => {
    const hours = (day: string) => (dayRange(day, zone).to - dayRange(day, zone).from) / 3_600_000
    expect([hours('2027-03-13'), hours('2026-10-31'), hours('2026-11-23')]).toEqual([23, 25, 24])
    expect(new Date(dayRange('2027-03-13', zone).from).toISOString()).toBe('2027-03-13T11:00:00.000Z')
  })

  test('are three hours longer in the grid, so that the last program is followed by others', () => {
    expect(gridRange('2026-11-23', zone).from).toBe(at('2026-11-23T11:00:00Z'))
    expect(gridRange('2026-11-23', zone).to).toBe(at('2026-11-24T14:00:00Z'))
  })

  test('range from yesterday to a week from today; an unknown day means today', () => {
    const days = guideDays(at('2026-11-24T01:37:00Z'), zone)
    expect(days.map(({ day }) => day.slice(-2))).toEqual(['22', '23', '24', '25', '26', '27', '28', '29', '30'])
    expect(days[1]).toMatchObject({ name: 'Today', number: '23', long: 'Today, November 23' })
    expect(shownDay(days, '2026-11-25').long).toBe('Wednesday, November 25')
    expect(shownDay(days, 'x').day).toBe('2026-11-23')
  })

  test('offer later times today and fixed times on other days', () => {
    const now = at('2026-11-24T01:37:00Z')
    expect(listTimes('2026-11-23', now, zone).map((time) => clockTime(time, zone))).toEqual([
      '9:00 PM',
      '10:00 PM',
      '11:00 PM',
      '12:00 AM',
      '2:00 AM',
      '4:00 AM',
    ])
    expect(listTimes('2026-11-24', now, zone).map((time) => localHour(time, zone))).toEqual([6, 9, 12, 15, 18, 20, 22])
  })

  test.each(['Asia/Kathmandu', 'Pacific/Chatham', 'Asia/Kolkata', 'America/St_Johns'])(
    'offer full and half hours on the clocks of %s',
    (quarterZone) => {
      const now = at('2026-11-24T01:37:00Z')
      const times = listTimes(guideDay(now, quarterZone), now, quarterZone)
      expect(times.length).toBeGreaterThan(2)
      expect(times.filter((time) => !/:(00|30) /.test(clockTime(time, quarterZone)))).toEqual([])
      expect(times[0]).toBeGreaterThan(now)
      const { from } = dayRange(guideDay(now, quarterZone), quarterZone)
      expect(clockTime(startOfHalfHour(now, from), quarterZone)).toMatch(/:(00|30) /)
    },
  )
})

test('a day is shown as today, yesterday or a date, even when a day has 23 or 25 hours', () => {
  const now = at('2026-11-01T17:00:00Z')
  expect(dayText('2026-11-01T04:00:00.000Z', now, zone)).toBe('Today')
  expect(dayText('2026-11-02T04:59:00.000Z', now, zone)).toBe('Today')
  expect(dayText('2026-11-01T03:59:00.000Z', now, zone)).toBe('Yesterday')
  expect(dayText('2026-10-31T04:00:00.000Z', now, zone)).toBe('Yesterday')
  expect(dayText('2026-10-31T03:59:00.000Z', now, zone)).toBe('Friday, October 30')
  expect(dayText('2026-11-02T05:00:00.000Z', now, zone)).toBe('Monday, November 2')
  expect(dayText(at('2027-03-14T04:30:00Z'), at('2027-03-14T18:00:00Z'), zone)).toBe('Yesterday')
  expect(dayText('2026-11-01T04:00:00.000Z', now, 'UTC')).toBe('Today')
})

test('the text of when listings were received names the day', () => {
  const now = at('2026-11-24T01:37:00Z')
  expect(readAtText('2026-11-23T19:10:00.000Z', now, zone)).toBe('today at 2:10 PM')
  expect(readAtText('2026-11-23T19:10:00.000Z', now, 'Asia/Tokyo')).toBe('today at 4:10 AM')
  expect(readAtText('2026-11-21T19:10:00.000Z', now, zone)).toBe('on Saturday, November 21, at 2:10 PM')
})

test('hours and dates are local to the zone, before and after a clock change', () => {
  expect(new Date(instantAt('2027-03-14', 1, zone)).toISOString()).toBe('2027-03-14T06:00:00.000Z')
  expect(new Date(instantAt('2027-03-14', 6, zone)).toISOString()).toBe('2027-03-14T10:00:00.000Z')
  expect(new Date(instantAt('2026-11-01', 0, zone)).toISOString()).toBe('2026-11-01T04:00:00.000Z')
  expect(new Date(instantAt('2026-11-01', 6, zone)).toISOString()).toBe('2026-11-01T11:00:00.000Z')
  expect(new Date(instantAt('2026-11-23', 6, 'Asia/Kathmandu')).toISOString()).toBe('2026-11-23T00:15:00.000Z')
  expect(localDate(at('2026-11-24T04:59:00Z'), zone)).toBe('2026-11-23')
  expect(clockRange('2026-11-24T01:00:00Z', '2026-11-24T02:00:00Z', zone)).toBe('8:00 – 9:00 PM')
  expect(clockRange('2026-11-24T04:00:00Z', '2026-11-24T06:00:00Z', zone)).toBe('11:00 PM – 1:00 AM')
})

test('cells are cut to the day, and left out outside of the view; gaps are cells without a program', () => {
  const day = dayRange('2026-11-23', 'UTC')
  const program = (start: string, end: string) => ({
    startsAt: `2026-11-23T${start}:00.000Z`,
    endsAt: `2026-11-23T${end}:00.000Z`,
    title: start,
    detail: '',
    isNew: false,
  })
  const programs = [program('05:00', '07:00'), program('06:30', '08:00'), program('08:30', '09:00')]
  const shown = (from: number, to: number): [number, number] => [day.from + from * 60_000, day.from + to * 60_000]
  expect(rowCells(programs, day, shown(0, 200)).map((cell) => [cell.start, cell.minutes, cell.program?.title])).toEqual(
    [
      [0, 60, '05:00'],
      [60, 60, '06:30'],
      [120, 30, undefined],
      [150, 30, '08:30'],
      [180, 1260, undefined],
    ],
  )
  expect(rowCells(programs, day, shown(121, 140))).toHaveLength(1)
  expect(rowCells([], day, shown(0, 1440))).toMatchObject([{ start: 0, minutes: 1440, program: undefined }])
})

test('the label of a cell has the times without a dash, and whether the program is on, has a reminder or can be watched later', () => {
  const program = {
    startsAt: '2026-11-24T01:00:00.000Z',
    endsAt: '2026-11-24T02:00:00.000Z',
    title: 'Night Ferry',
    detail: 'S1 E5 · The Manifest',
    isNew: true,
  }
  const label = (now: string, facts: { hasArchive?: boolean; hasReminder?: boolean } = {}, shown = program) =>
    cellLabel(shown, { zone, at: at(now), hasArchive: false, hasReminder: false, ...facts })
  const start = 'Night Ferry. New · S1 E5 · The Manifest. 8:00 to 9:00 PM.'
  expect(label('2026-11-24T00:59:00Z')).toBe(start)
  expect(label('2026-11-24T00:59:00Z', { hasReminder: true })).toBe(`${start} Reminder set.`)
  expect(label('2026-11-24T01:37:00Z', { hasReminder: true, hasArchive: true })).toBe(`${start} On now, 23 min left.`)
  expect(label('2026-11-24T02:00:00Z', { hasArchive: true })).toBe(`${start} Ended. Catch-up available.`)
  expect(label('2026-11-24T02:00:00Z')).toBe(`${start} Ended. Not available.`)
  expect(label('2026-11-24T00:59:00Z', {}, { ...program, detail: '', isNew: false })).toBe(
    'Night Ferry. 8:00 to 9:00 PM.',
  )
})

test('details, durations, remaining time and search queries are written as text', () => {
  expect(detailOf({ season: 2, episode: 5, subtitle: 'Low Tide', category: 'Drama' })).toBe('S2 E5 · Low Tide')
  expect(detailOf({ season: null, episode: 41, subtitle: '', category: 'Quiz' })).toBe('E41')
  expect(detailOf({ season: null, episode: null, subtitle: '', category: 'Quiz' })).toBe('Quiz')
  expect([45, 60, 113].map(durationText)).toEqual(['45 min', '1 hr', '1 hr 53 min'])
  expect(timeLeft('2026-11-24T02:00:00Z', at('2026-11-24T01:36:30Z'))).toBe('24 min left')
  expect(titleQuery("Keeper's & !(x)")).toBe('keeper:* & s:* & x:*')
  expect(titleQuery('&|!')).toBeNull()
})
