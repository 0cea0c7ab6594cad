const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMinutes = 24 * 60
const twoDigits = (value: number) => String(value).padStart(2, '0')

export type Zone = {
  minutesAhead: number
  /** The name of the zone for Node. */
  name: string
  /** The name of the zone for Playwright, which refuses the one for Node. */
  timezoneId: string
  /** Returns the time `ahead` hours from now, rounded down to the full hour of the zone's clocks, in milliseconds. */
  startOfHour: (ahead: number) => number
  /** Returns the hour on the zone's clocks at a time in milliseconds, as it appears in the titles of `addListings`. */
  hourAt: (at: number) => string
  /** Returns the hour on the zone's clocks `ahead` hours from now. */
  hour: (ahead: number) => string
}

/**
 * Returns a time zone in which it is between 5:05 and 5:20 AM at `now`, a time in milliseconds. A day of the guide ends at 6 AM, so the guide shows many
 * hours of past programs, and no day, program or half hour begins during a test. The offset from UTC is a multiple of 15 minutes, as in real zones.
 */
export function zoneAtFive(now = Date.now()): Zone {
  const minuteOfDay = Math.floor(now / minuteMs) % dayMinutes
  const toFive = Math.ceil((5 * 60 + 5 - minuteOfDay) / 15) * 15
  // From 11 hours behind UTC to 12:45 hours ahead.
  const minutesAhead = ((toFive + 11 * 60 + dayMinutes) % dayMinutes) - 11 * 60
  const distance = Math.abs(minutesAhead)
  const name = `${minutesAhead < 0 ? '-' : '+'}${twoDigits(Math.floor(distance / 60))}:${twoDigits(distance % 60)}`
  const onClocks = (at: number) => at + minutesAhead * minuteMs
  const hourAt = (at: number) => new Date(onClocks(at)).toISOString().slice(11, 13)
  return {
    minutesAhead,
    name,
    timezoneId: `GMT${name}`,
    startOfHour: (ahead) =>
      Math.floor(onClocks(Date.now()) / hourMs) * hourMs - minutesAhead * minuteMs + ahead * hourMs,
    hourAt,
    hour: (ahead) => hourAt(Date.now() + ahead * hourMs),
  }
}
