import type { Instant } from './dates.ts'

const formats = new Map<string, Intl.DateTimeFormat>()
function formatted(value: Instant | number, zone: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${zone} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, ...options })
  formats.set(key, format)
  // Some engines put a narrow space before AM and PM.
  return format.format(new Date(value)).replaceAll('\u202f', ' ')
}

/** `8:37 PM`, in a time zone. */
export const clockTime = (value: Instant | number, zone: string): string =>
  formatted(value, zone, { hour: 'numeric', minute: '2-digit' })

/** `9 PM` at a full hour, otherwise like `clockTime`. */
export const shortClockTime = (value: Instant | number, zone: string): string =>
  clockTime(value, zone).replace(':00', '')

/** `8:00 – 9:00 PM`, `11:00 PM – 1:00 AM`. */
export function clockRange(from: Instant, to: Instant, zone: string): string {
  const [start, end] = [clockTime(from, zone), clockTime(to, zone)]
  return `${start.slice(-2) === end.slice(-2) ? start.slice(0, -3) : start} – ${end}`
}
