/** Hosts of the panel that this page does not load streams from, with the time since when. They are tried again after `avoidedMs`. */
const avoidedAt = new Map<string, number>()
const avoidedMs = 10 * 60_000

/** Plays what comes from this host through this site, for ten minutes. */
export const avoidHost = (host: string): void => void avoidedAt.set(host, Date.now())
/** Whether what comes from this host plays through this site. */
export const isHostAvoided = (host: string): boolean =>
  Date.now() - (avoidedAt.get(host) ?? Number.NEGATIVE_INFINITY) < avoidedMs
