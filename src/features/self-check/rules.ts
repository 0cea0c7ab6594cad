import type { ReportIssue } from '#features/reports/contract.ts'
import type { BrowserFacts, Cause, ServerFacts, Side, Verdict } from './contract.ts'

/** A check ends after this many milliseconds, with the results that it has by then. */
export const maxCheckMs = 12_000
/**
 * A threshold in milliseconds. A connection whose median delay is higher is reported as having long delays. One whose delays vary by more is reported as
 * having uneven delays.
 */
export const slowDelayMs = 150
/** The bit rate, in kilobits per second, that is assumed for a channel of unknown bit rate. */
export const assumedKbps = 5_000
/** The connection has to be faster than the bit rate of the channel by this factor. */
const headroom = 1.2
/** A connection is unstable if more parts of the sample than this are late, or more than `maxLostRequests` requests are lost. */
const maxLateParts = 3
/** If a larger fraction of the frames is dropped, the picture visibly stutters. */
const maxDropped = 0.1
/** A clock that is off by more than this many milliseconds counts as wrong. */
const maxClockOffMs = 60_000
const maxLostRequests = 1
/** A streaming host counts as slow only if this site is faster by this factor. Otherwise the customer's connection may limit both. */
const timesFaster = 2
/** A measurement of a streaming host that lasted fewer milliseconds than this and brought only a few bytes is not used. */
const minHostMs = 1_500

const sideOf: Record<Cause, Side> = {
  offline: 'you',
  unreachable: 'unknown',
  expired: 'you',
  paused: 'you',
  preparing: 'you',
  login: 'us',
  screens: 'you',
  territory: 'license',
  not_licensed: 'license',
  busy: 'us',
  panel: 'us',
  off_air: 'channel',
  format: 'channel',
  browser: 'you',
  codec: 'you',
  blocked: 'you',
  autoplay: 'you',
  slow: 'you',
  unstable: 'you',
  slow_host: 'between',
  frames: 'you',
  hidden: 'you',
  clock: 'you',
  not_seen: 'unknown',
  works: 'fine',
}
const verdictOf = (cause: Cause, side: Side = sideOf[cause]): Verdict => ({ side, cause })

/** The measured speed of the connection in kilobits per second; null without a usable sample. */
export const speedOf = ({ sample }: Pick<BrowserFacts, 'sample'>): number | null =>
  sample && sample.bytes >= 50_000 && sample.ms > 0 ? Math.round((sample.bytes * 8) / sample.ms) : null
/** The measured speed of the streaming host in kilobits per second; null if the host was not measured for long enough. */
export const hostSpeedOf = ({ host }: Pick<BrowserFacts, 'host'>): number | null =>
  host && host.ms > 0 && (host.bytes >= 50_000 || host.ms >= minHostMs) ? Math.round((host.bytes * 8) / host.ms) : null
/** Whether the streaming host sends less than the bit rate of the channel. False if the bit rate is unknown. */
export function isHostSlow({ probe, directHost }: ServerFacts, browser: Pick<BrowserFacts, 'host'>): boolean {
  const speed = hostSpeedOf(browser)
  return directHost != null && probe.kbps !== null && speed !== null && speed < probe.kbps
}
/** The speed that the channel needs, in kilobits per second. */
export const neededKbps = (server: ServerFacts | null): number =>
  Math.round((server?.probe.kbps ?? assumedKbps) * headroom)
/** The median delay, in milliseconds; null if no request was answered. */
export const delayOf = ({ delaysMs }: BrowserFacts): number | null =>
  [...delaysMs].sort((a, b) => a - b)[Math.floor(delaysMs.length / 2)] ?? null

/** The difference between the longest and the shortest delay, in milliseconds; null with fewer than two answers. */
export const jitterOf = ({ delaysMs }: BrowserFacts): number | null =>
  delaysMs.length < 2 ? null : Math.max(...delaysMs) - Math.min(...delaysMs)

/** The fraction of the frames that the browser dropped, from 0 to 1; null if unknown. */
export const droppedOf = ({ frames }: BrowserFacts): number | null =>
  frames && frames.shown + frames.dropped > 0 ? frames.dropped / (frames.shown + frames.dropped) : null
export const isClockWrong = ({ clockOffMs }: BrowserFacts): boolean => Math.abs(clockOffMs) > maxClockOffMs
/** Whether the browser waits for a click or tap, which the last event of the player shows. */
export const waitsForClick = ({ events }: BrowserFacts): boolean => events.at(-1)?.what === 'blocked'

/** Whether most plays of this channel by other customers fail, while none of them is watching it. */
const failsForOthers = ({ others }: ServerFacts): boolean =>
  others.viewers === 0 && others.starts >= 3 && others.failedCustomers >= 2 && others.failures * 2 >= others.starts
/** Whether most plays of other customers fail, on several channels, while none of them is watching this channel. */
const failsEverywhere = ({ service, others }: ServerFacts): boolean =>
  others.viewers === 0 &&
  service.starts >= 6 &&
  service.failedCustomers >= 3 &&
  service.failedChannels >= 3 &&
  service.failures * 2 >= service.starts

/**
 * Determines why a channel does not play. Returns the first cause that explains the facts, in the order from the account to the connection. It blames our side
 * only on evidence that the customer's side cannot produce. If facts are missing or contradictory, the side is `unknown`. `server` is null if the server did
 * not answer the check.
 */
export function determineVerdict(server: ServerFacts | null, browser: BrowserFacts): Verdict {
  if (!browser.online) return verdictOf('offline')
  if (!server) return browser.server === 'busy' ? verdictOf('busy') : verdictOf('unreachable')
  if (server.account !== 'ok') return verdictOf(server.account)
  const isAlive = server.probe.result === 'alive'
  if (server.line.login === 'refused' && !isAlive) return verdictOf('login', server.line.kind === 'ours' ? 'us' : 'you')
  if (server.place !== 'ok') return verdictOf(server.place)
  const { used, all, playsHere } = server.screens
  if (used >= all && !playsHere) return verdictOf('screens')
  if (server.relay === 'full') return verdictOf('busy')
  return (
    ourFault(server) ??
    browserFault(browser) ??
    connectionFault(server, browser) ??
    hostFault(server, browser) ??
    playbackFault(browser) ??
    withoutFault(server, browser)
  )
}

function ourFault(server: ServerFacts): Verdict | null {
  const { probe, line, others } = server
  if (probe.result === 'alive') return null
  const isSilent = line.login === 'no_answer' && probe.result === 'no_answer'
  // If others are watching this channel now, the panel and the channel work.
  if (others.viewers > 0) return probe.result === 'skipped' ? null : verdictOf('not_seen')
  if (isSilent || failsEverywhere(server)) return verdictOf('panel')
  if (failsForOthers(server)) return verdictOf('off_air')
  if (probe.result === 'dead' && line.login === 'ok') return verdictOf('off_air')
  if (probe.result === 'not_playable') return verdictOf('format')
  return probe.result === 'skipped' ? null : verdictOf('not_seen')
}

/** The verdict if something stops this browser from playing the channel; null otherwise. */
function browserFault(browser: BrowserFacts): Verdict | null {
  const { mediaSource, decodes, events, blocked } = browser
  if (!mediaSource) return verdictOf('browser')
  const failedToDecode = events.some(({ what, why }) => what === 'stopped' && why === 'codec')
  if (!decodes || failedToDecode) return verdictOf('codec')
  if (blocked) return verdictOf('blocked')
  return waitsForClick(browser) ? verdictOf('autoplay') : null
}

function connectionFault(server: ServerFacts, browser: BrowserFacts): Verdict | null {
  const { isSlow, isUnstable } = connectionOf(server, browser)
  // A busy relay slows down the sample too.
  if ((!isSlow && !isUnstable) || server.relay === 'busy') return null
  // Browsers slow down hidden pages, so the connection may be faster than measured.
  if (browser.hidden) return verdictOf('hidden')
  return verdictOf(isSlow ? 'slow' : 'unstable')
}
function connectionOf(server: ServerFacts, browser: BrowserFacts): { isSlow: boolean; isUnstable: boolean } {
  const speed = speedOf(browser)
  return {
    isSlow: speed !== null && speed < neededKbps(server),
    isUnstable: browser.lost > maxLostRequests || (browser.sample?.lateParts ?? 0) > maxLateParts,
  }
}

/**
 * The verdict if the streaming host sends too slowly; null otherwise. Blames the host only if this site was fast enough directly before and directly
 * afterwards, because a connection that is briefly slow would look the same.
 */
function hostFault(server: ServerFacts, browser: BrowserFacts): Verdict | null {
  if (!isHostSlow(server, browser)) return null
  if (browser.hidden) return verdictOf('hidden')
  const needed = neededKbps(server)
  const before = speedOf(browser)
  const after = speedOf({ sample: browser.host?.after ?? null })
  if (before === null || before < needed || after === null) return verdictOf('not_seen')
  if (after < needed) return verdictOf(server.relay === 'busy' ? 'not_seen' : 'unstable')
  return verdictOf(Math.min(before, after) >= timesFaster * hostSpeedOf(browser)! ? 'slow_host' : 'not_seen')
}

/** The verdict if something disturbs playback although the stream arrives; null otherwise. */
function playbackFault(browser: BrowserFacts): Verdict | null {
  if ((droppedOf(browser) ?? 0) > maxDropped) return verdictOf('frames')
  const interruptions = browser.events.filter(({ what }) => what === 'buffering' || what === 'stopped')
  return interruptions.length > 0 && interruptions.every(({ why }) => why === 'hidden') ? verdictOf('hidden') : null
}

/** The verdict if no fault was found. Everything works only if the channel was seen to work and the connection was measured. */
function withoutFault(server: ServerFacts, browser: BrowserFacts): Verdict {
  const { probe, screens, others, line, channelName } = server
  const { isSlow, isUnstable } = connectionOf(server, browser)
  if (speedOf(browser) === null || isSlow || isUnstable) return verdictOf('not_seen')
  const wasSeen =
    channelName === null ? line.login === 'ok' : probe.result === 'alive' || screens.playsHere || others.viewers > 0
  if (!wasSeen) return verdictOf('not_seen')
  return verdictOf(isClockWrong(browser) ? 'clock' : 'works')
}

/** The issue that a report with this verdict states. */
export const issueOf = ({ cause }: Verdict): ReportIssue =>
  ['slow', 'unstable', 'slow_host', 'frames'].includes(cause) ? 'buffering' : 'not_working'

const mbps = (kbps: number): string => (kbps / 1000).toFixed(kbps < 10_000 ? 1 : 0)
/** Formats a speed, such as `48 Mbps`. */
export const speedText = (kbps: number): string => `${mbps(kbps)} Mbps`
