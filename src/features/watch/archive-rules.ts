import { isZone, type OffsetAt, offsetsOf } from '#features/guide/time-rules.ts'

/** The clock of a panel: its time zone, or an offset from UTC that is known for today only. Both are null if the panel reports neither. */
export type PanelClock = { zone: string | null; offsetMinutes: number | null }

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const quarterMs = 15 * minuteMs

/**
 * Returns the clock of a panel from its login response. A zone that contradicts the panel's local time and UTC time is ignored; then only the offset between
 * the two is known. `now` is in milliseconds.
 */
export function panelClock(
  { timezone, time_now: wall, timestamp_now: seconds }: Record<string, unknown>,
  now: number,
): PanelClock {
  const zone = typeof timezone === 'string' && isZone(timezone) ? timezone : null
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(typeof wall === 'string' ? wall.trim() : '')
  const shown = match ? Date.parse(`${match[1]}T${match[2]}Z`) : Number.NaN
  const real = Number(seconds) * 1000
  if (Number.isNaN(shown) || !(real > 0)) return { zone, offsetMinutes: null }
  const offsetMinutes = (Math.round((shown - real) / quarterMs) * quarterMs) / minuteMs
  if (Math.abs(offsetMinutes) > 14 * 60) return { zone, offsetMinutes: null }
  return zone !== null && offsetsOf(zone)(now) === offsetMinutes
    ? { zone, offsetMinutes }
    : { zone: null, offsetMinutes }
}

/**
 * Returns a panel's local time (written as if it were UTC) at an instant, both in milliseconds. `isSure` is false if the local time may be an hour off: without
 * a zone on any day but today, and in the second of the two identical hours when the clocks go back.
 */
export function panelTime(
  instant: number,
  { zone, offsetMinutes }: PanelClock,
  now: number,
): { wall: number; isSure: boolean } {
  if (zone !== null) {
    const offsetAt = offsetsOf(zone)
    return { wall: instant + offsetAt(instant) * minuteMs, isSure: !isRepeated(instant, offsetAt) }
  }
  const offset = (offsetMinutes ?? 0) * minuteMs
  const isToday = Math.floor((instant + offset) / (24 * hourMs)) === Math.floor((now + offset) / (24 * hourMs))
  return { wall: instant + offset, isSure: offsetMinutes !== null && isToday }
}

/** Whether the clocks showed the same local time once before, because they went back. Panels play the first of the two. */
const isRepeated = (instant: number, offsetAt: OffsetAt): boolean =>
  [30, 60, 120].some((minutes) => {
    const earlier = instant - minutes * minuteMs
    return offsetAt(earlier) - offsetAt(instant) === minutes
  })

/** The forms that a recording's address may have, in the order in which they are tried. Some panels respond to the last one with the live stream. */
export const archiveForms = ['colon', 'underscore', 'seconds', 'utc', 'query'] as const
export type ArchiveForm = (typeof archiveForms)[number]
/** Added to the length of a recording, because some panels end it early. */
const extraMinutes = 5
const maxMinutes = 480

/**
 * Returns the part of a recording to request: from the full minute of `at` until five minutes after `to`, in milliseconds. `skipMs` is the time from the start
 * of that minute to `at`.
 */
export function archiveRange(at: number, to: number): { startsAt: number; skipMs: number; minutes: number } {
  const startsAt = Math.floor(at / minuteMs) * minuteMs
  const minutes = Math.ceil((to - startsAt) / minuteMs) + extraMinutes
  return { startsAt, skipMs: at - startsAt, minutes: Math.min(maxMinutes, Math.max(1, minutes)) }
}

type Line = { username: string; password: string; stream: string }
/** Returns the path and the query of a recording's address on a panel, not yet encoded. `wall` is the local time of the panel, in milliseconds. */
export function archiveParts(
  form: ArchiveForm,
  { username, password, stream }: Line,
  { startsAt, wall, minutes }: { startsAt: number; wall: number; minutes: number },
): { path: string[]; query: Record<string, string> } {
  const [date = '', time = ''] = new Date(wall).toISOString().split('T')
  const minute = time.slice(0, 5).replace(':', '-')
  const timeshift = (start: string) => ({
    path: ['timeshift', username, password, String(minutes), start, `${stream}.ts`],
    query: {},
  })
  switch (form) {
    case 'colon':
      return timeshift(`${date}:${minute}`)
    case 'underscore':
      return timeshift(`${date}_${minute}`)
    case 'seconds':
      return timeshift(`${date}:${minute}-00`)
    case 'utc':
      return {
        path: ['live', username, password, `${stream}.ts`],
        query: { utc: String(startsAt / 1000), duration: String(minutes * 60) },
      }
    case 'query':
      return {
        path: ['streaming', 'timeshift.php'],
        query: { username, password, stream, start: `${date}:${minute}`, duration: String(minutes) },
      }
  }
}

/**
 * Returns the forms to try, in order: if the time is uncertain, first the form with a UTC time; then `known`, the form that worked on the panel before; then
 * the others. `query` is tried only if no other form is known to work.
 */
export function formsToTry(known: ArchiveForm | null, isSure: boolean): ArchiveForm[] {
  const first = isSure ? [known] : ['utc' as const, known]
  const forms = [...first, ...archiveForms].filter((form) => form !== null)
  return [...new Set(forms)].filter((form) => form !== 'query' || known === null || known === 'query')
}
