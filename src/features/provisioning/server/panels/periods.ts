import type { Instant } from '#kit/dates.ts'

const hourMs = 3_600_000
/** Half of a package whose length is unknown: less than the shortest one sold. */
const defaultHalfHours = 240

/**
 * Whether a line already covers `until`, within half a package. Panels count months differently, so their expiry dates differ by days from
 * ours; after an extension whose response was lost they differ by a whole package. A line without an expiry date covers everything.
 */
export const alreadyCovers = (expiresAt: Instant | null, until: Instant, packageHours: number | null): boolean =>
  expiresAt === null ||
  Date.parse(expiresAt) >= Date.parse(until) - (packageHours === null ? defaultHalfHours : packageHours / 2) * hourMs
