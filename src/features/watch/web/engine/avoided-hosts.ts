/** Panel hosts from which this page does not load streams, each with the time when it was added. They are tried again after `avoidedMs`. */
const avoidedAt = new Map<string, number>()
const avoidedMs = 10 * 60_000

/** Makes streams from this host play through this site for ten minutes. */
export const avoidHost = (host: string): void => void avoidedAt.set(host, Date.now())
/** Whether streams from this host currently play through this site. */
export const isHostAvoided = (host: string): boolean =>
  Date.now() - (avoidedAt.get(host) ?? Number.NEGATIVE_INFINITY) < avoidedMs
