import type { Instant } from './dates.ts'

const formats = new Map<string, Intl.DateTimeFormat>()
function formatted(value: Instant | number, zone: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${zone} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, ...options })
  formats.set(key, format)
  // Some engines put a narrow space before AM and PM.
  return format.format(new Date(value)).replaceAll('\u202f', ' ')
}

/** The time of day in a time zone, such as `8:37 PM`. */
export const clockTime = (value: Instant | number, zone: string): string =>
  formatted(value, zone, { hour: 'numeric', minute: '2-digit' })

/** Like `clockTime`, but a full hour has no minutes: `9 PM`. */
export const shortClockTime = (value: Instant | number, zone: string): string =>
  clockTime(value, zone).replace(':00', '')

/** Two times of day in a time zone as a range: `8:00 – 9:00 PM`, `11:00 PM – 1:00 AM`. */
export function clockRange(from: Instant, to: Instant, zone: string): string {
  const [start, end] = [clockTime(from, zone), clockTime(to, zone)]
  return `${start.slice(-2) === end.slice(-2) ? start.slice(0, -3) : start} – ${end}`
}

/** The date in a time zone, such as `2026-11-23`. */
export const localDate = (value: Instant | number, zone: string): string => {
  const [month, day, year] = formatted(value, zone, { year: 'numeric', month: '2-digit', day: '2-digit' }).split('/')
  return `${year}-${month}-${day}`
}

/** The hour of day in a time zone, from 0 to 23. */
export const localHour = (value: Instant | number, zone: string): number =>
  Number(formatted(value, zone, { hour: '2-digit', hourCycle: 'h23' }))

/** The Unix time, in milliseconds, at which an hour of a date begins in a time zone. */
export function instantAt(date: string, hour: number, zone: string): number {
  const asUtc = Date.parse(`${date}T00:00:00Z`) + hour * 3_600_000
  const offsetAt = (at: number) => {
    const shown = formatted(at, zone, {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    const [month, day, year, hours, minutes] = shown.match(/\d+/g)!.map(Number)
    return Date.UTC(year!, month! - 1, day, hours, minutes) - Math.floor(at / 60_000) * 60_000
  }
  // The inner offset may be that of the other side of a clock change, so the offset is looked up again at the resulting time.
  return asUtc - offsetAt(asUtc - offsetAt(asUtc))
}

/** The names of a date: `2026-11-24` is `Tue`, `24` and `Tuesday, November 24`. */
export const dateNames = (date: string): { weekday: string; day: string; long: string } => ({
  weekday: formatted(`${date}T00:00:00Z`, 'UTC', { weekday: 'short' }),
  day: formatted(`${date}T00:00:00Z`, 'UTC', { day: 'numeric' }),
  long: formatted(`${date}T00:00:00Z`, 'UTC', { weekday: 'long', month: 'long', day: 'numeric' }),
})

/** The English name of a time zone, such as `Eastern Time`, or its id if the browser has no name for it. */
export const zoneName = (at: number, zone: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longGeneric' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? zone
