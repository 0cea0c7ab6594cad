/** A point in time as ISO 8601 text in UTC. */
export type Instant = string

/** The same time of day `months` calendar months later, in UTC. The day is clamped to the last of the month (Jan 31 + 1 = Feb 28 or 29). */
export function addMonths(from: Instant, months: number): Instant {
  const date = new Date(from)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.toISOString()
}

/** Whether `a` is strictly before `b`. */
export const isBefore = (a: Instant, b: Instant): boolean => new Date(a).getTime() < new Date(b).getTime()
