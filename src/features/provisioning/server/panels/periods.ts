import type { Instant } from '#kit/dates.ts'

const hourMs = 3_600_000
/** Where nobody says how long a package lasts: less than the shortest one sold. */
const slackHours = 240

/**
 * Whether a line already lasts until then, give or take half a package: packages count in days of their own, so ends differ by days from
 * ours, and by a whole package where an earlier extension went through and its answer was lost. A line without an end reaches everything.
 */
export const alreadyCovers = (expiresAt: Instant | null, until: Instant, packageHours: number | null): boolean =>
  expiresAt === null || Date.parse(expiresAt) >= Date.parse(until) - ((packageHours ?? 2 * slackHours) / 2) * hourMs
