/** Returns the UTC offset of a time zone, in minutes, at an instant in milliseconds. */
export type OffsetAt = (instant: number) => number

const dayMs = 86_400_000
const minuteMs = 60_000
const offsetPattern = /^(?:GMT|UTC)(?:([+-])(\d\d):(\d\d))?/
const quarterMs = 15 * minuteMs

/** Whether a time zone of this name exists, for example `America/New_York`. */
export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/**
 * Returns a function with the UTC offsets of a time zone. It caches them per quarter of an hour, because calling `Intl` for each program would take
 * longer than reading the file.
 */
export function offsetsOf(zone: string): OffsetAt {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  const cache = new Map<number, number>()
  return (instant) => {
    const quarter = Math.floor(instant / quarterMs)
    const cached = cache.get(quarter)
    if (cached !== undefined) return cached
    const name = format.formatToParts(quarter * quarterMs).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours, minutes] = offsetPattern.exec(name) ?? []
    const offset = sign ? (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) : 0
    cache.set(quarter, offset)
    return offset
  }
}

/**
 * Returns the instant, in milliseconds, of a wall-clock time in a zone. `wall` is the wall-clock time interpreted as UTC. A time that occurs twice when
 * the clocks go back means its first occurrence. A time that is skipped when the clocks go forward is read with the offset before the change.
 */
export function instantOf(wall: number, offsetAt: OffsetAt): number {
  const [before, after] = [offsetAt(wall - dayMs), offsetAt(wall + dayMs)]
  const [first, second] = [wall - before * minuteMs, wall - after * minuteMs]
  if (before === after) return first
  const possible = [first, second].filter((instant) => instant + offsetAt(instant) * minuteMs === wall)
  return possible.length > 0 ? Math.min(...possible) : first
}

const timePattern = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(?:\.\d+)?\s*(\S*)$/
const zonePattern = /^([+-])(\d\d):?(\d\d)$/

/**
 * Parses an XMLTV time (`20261125200000 +0100`) into seconds since 1970; null if it is malformed or names an unknown zone. `offsetAt` returns the
 * offset of the source's zone, which is used for times without an offset.
 */
export function parseXmltvTime(text: string, offsetAt: OffsetAt): number | null {
  const found = timePattern.exec(text.trim())
  if (!found) return null
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  if (hour > 23 || minute > 59 || second > 59 || year < 1970) return null
  const wall = Date.UTC(year, month - 1, day, hour, minute, second)
  const date = new Date(wall)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  const zone = found[7] ?? ''
  if (zone === '') return instantOf(wall, offsetAt) / 1_000
  if (/^(Z|UTC|GMT)$/i.test(zone)) return wall / 1_000
  const [, sign, hours, minutes] = zonePattern.exec(zone) ?? []
  if (!sign || Number(hours) > 14 || Number(minutes) > 59) return null
  return wall / 1_000 - (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60
}
