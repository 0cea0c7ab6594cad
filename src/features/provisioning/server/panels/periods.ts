import type { Instant } from '#kit/dates.ts'

const hourMs = 3_600_000
/** Half of a package of unknown length, in hours. The assumed length is shorter than any package that is sold. */
const defaultHalfHours = 240

/**
 * Whether a line already covers `until`: its expiry date may be up to half a package earlier. Panels count months differently, so their expiry dates differ
 * from ours by days. If an extension has not taken effect, they differ by a whole package. A line without an expiry date covers every date.
 */
export const alreadyCovers = (expiresAt: Instant | null, until: Instant, packageHours: number | null): boolean =>
  expiresAt === null ||
  Date.parse(expiresAt) >= Date.parse(until) - (packageHours === null ? defaultHalfHours : packageHours / 2) * hourMs
