import type { ReportIssue } from '#features/reports/contract.ts'
import type { BrowserFacts, Cause, ServerFacts, Side, Verdict } from './contract.ts'

/** A check ends after this time, in milliseconds, with the results that it has by then. */
export const maxCheckMs = 12_000
/** A connection with more delay than this, in milliseconds, is shown as having long delays, and one whose delay varies by more as having uneven ones. */
export const slowDelayMs = 150
/** The assumed bit rate of a channel that does not state it, in kilobits per second. */
export const assumedKbps = 5_000
/** The connection has to be faster than the bit rate of the channel by this factor. */
const headroom = 1.2
/** With more late parts of the sample, or more lost requests, a connection is unstable. */
const maxLateParts = 3
const maxLostRequests = 1

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
  slow: 'you',
  unstable: 'you',
  not_seen: 'unknown',
  works: 'fine',
}
const verdictOf = (cause: Cause, side: Side = sideOf[cause]): Verdict => ({ side, cause })

/** The measured speed in kilobits per second; null without a usable sample. */
export const speedOf = ({ sample }: BrowserFacts): number | null =>
  sample && sample.bytes >= 50_000 && sample.ms > 0 ? Math.round((sample.bytes * 8) / sample.ms) : null
/** The speed that the channel needs, in kilobits per second. */
export const neededKbps = (server: ServerFacts | null): number =>
  Math.round((server?.probe.kbps ?? assumedKbps) * headroom)
/** The median delay, in milliseconds; null if no request was answered. */
export const delayOf = ({ delaysMs }: BrowserFacts): number | null =>
  [...delaysMs].sort((a, b) => a - b)[Math.floor(delaysMs.length / 2)] ?? null

/** The difference between the longest and the shortest delay, in milliseconds; null with fewer than two answers. */
export const jitterOf = ({ delaysMs }: BrowserFacts): number | null =>
  delaysMs.length < 2 ? null : Math.max(...delaysMs) - Math.min(...delaysMs)

/** Whether this channel fails for most other customers who try it, while none of them is watching it. */
const failsForOthers = ({ others }: ServerFacts): boolean =>
  others.viewers === 0 && others.starts >= 3 && others.failedCustomers >= 2 && others.failures * 2 >= others.starts
/** Whether most plays of other customers fail, on several channels, while none of them is watching this one. */
const failsEverywhere = ({ service, others }: ServerFacts): boolean =>
  others.viewers === 0 &&
  service.starts >= 6 &&
  service.failedCustomers >= 3 &&
  service.failedChannels >= 3 &&
  service.failures * 2 >= service.starts

/**
 * Determines why a channel does not play: the first cause that explains it, from the account to the connection. It blames our side only on evidence that
 * the customer's side cannot produce. Missing or contradictory facts result in `unknown`. `server` is null if the server did not answer the check.
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
  return ourFault(server) ?? browserFault(browser) ?? connectionFault(server, browser) ?? withoutFault(server)
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

function browserFault({ mediaSource, decodes, events }: BrowserFacts): Verdict | null {
  if (!mediaSource) return verdictOf('browser')
  const failedToDecode = events.some(({ what, why }) => what === 'stopped' && why === 'codec')
  return !decodes || failedToDecode ? verdictOf('codec') : null
}

function connectionFault(server: ServerFacts, browser: BrowserFacts): Verdict | null {
  const speed = speedOf(browser)
  const isSlow = speed !== null && speed < neededKbps(server)
  const isUnstable = browser.lost > maxLostRequests || (browser.sample?.lateParts ?? 0) > maxLateParts
  if (speed !== null && !isSlow && !isUnstable) return null
  // A busy relay slows down the sample too.
  if (server.relay === 'busy') return verdictOf('not_seen')
  if (isSlow) return verdictOf('slow')
  return isUnstable ? verdictOf('unstable') : verdictOf('not_seen')
}

/** The verdict if no fault was found: everything works if the channel was seen to work. */
function withoutFault({ probe, screens, others, line, channelName }: ServerFacts): Verdict {
  const wasSeen = probe.result === 'alive' || screens.playsHere || others.viewers > 0
  if (channelName === null) return verdictOf(line.login === 'ok' ? 'works' : 'not_seen')
  return verdictOf(wasSeen ? 'works' : 'not_seen')
}

/** The kind of problem that the report states. */
export const issueOf = ({ cause }: Verdict): ReportIssue =>
  cause === 'slow' || cause === 'unstable' ? 'buffering' : 'not_working'

const mbps = (kbps: number): string => (kbps / 1000).toFixed(kbps < 10_000 ? 1 : 0)
/** Such as `48 Mbps`. */
export const speedText = (kbps: number): string => `${mbps(kbps)} Mbps`

/** The finding in one sentence, for administrators and in the report. */
export const causeTexts: Record<Cause, string> = {
  offline: 'The device was offline.',
  unreachable: 'This site did not answer the device.',
  expired: 'The subscription has ended.',
  paused: 'The line is paused.',
  preparing: 'The line is not ready yet.',
  login: 'The panel does not accept the line.',
  screens: 'All screens are in use.',
  territory: 'The channel is not licensed in the country of the viewer.',
  not_licensed: 'The channel is not licensed.',
  busy: 'This site is overloaded.',
  panel: 'The panel does not answer.',
  off_air: 'The channel sends nothing.',
  format: 'The channel sends a format that browsers cannot play.',
  browser: 'The browser cannot play streams.',
  codec: 'The browser cannot decode this channel.',
  slow: 'The connection of the viewer is too slow for the channel.',
  unstable: 'The connection of the viewer loses data.',
  not_seen: 'The checks found no cause.',
  works: 'Everything worked during the check.',
}
/** The description of the report: one sentence about the cause and one about the connection. */
export function summaryOf({ cause }: Verdict, server: ServerFacts | null, browser: BrowserFacts): string {
  const speed = speedOf(browser)
  const delay = delayOf(browser)
  const measured = [
    speed === null ? 'speed unknown' : `${speedText(speed)} of ${speedText(neededKbps(server))} needed`,
    delay === null ? 'no answer to test requests' : `${delay} ms`,
  ]
  return `Self-check: ${causeTexts[cause]} Connection: ${measured.join(', ')}.`
}

const sideTexts: Record<Side, string> = {
  you: 'The viewer’s side',
  us: 'Our side',
  channel: 'The channel',
  license: 'Not licensed',
  fine: 'Everything works',
  unknown: 'Cannot tell',
}
const words = (code: string): string => code.replaceAll('_', ' ')
type Measured = { device: string; verdict: Verdict; server: ServerFacts; browser: BrowserFacts }
/** The results of a check as labels and values, for administrators. */
export function evidenceRows({ device, verdict, server, browser }: Measured): [string, string][] {
  const { others, probe, screens, service } = server
  const speed = speedOf(browser)
  const delay = delayOf(browser)
  const jitter = jitterOf(browser)
  return [
    ['Verdict', `${sideTexts[verdict.side]}: ${causeTexts[verdict.cause]}`],
    ['Line', `${words(server.account)}, ${server.line.kind}, login ${words(server.line.login)}`],
    ['Panel', server.panelMs === null ? 'No answer' : `Answered in ${server.panelMs} ms`],
    ['Screens', `${screens.used} of ${screens.all} in use`],
    ['Channel', [words(probe.result), probe.detail, probe.kbps && speedText(probe.kbps)].filter(Boolean).join(', ')],
    [
      'Other viewers',
      `${others.viewers} now, ${others.failures} of ${others.starts} failed, ${others.reports} reports`,
    ],
    ['All channels', `${service.failures} of ${service.starts} failed for others`],
    [
      'Connection',
      `${speed === null ? 'not measured' : speedText(speed)}, ${delay ?? 'no'} ms${jitter === null ? '' : ` varying by ${jitter} ms`}, ${browser.lost} lost`,
    ],
    ['Device', `${device}, ${browser.decodes ? 'decodes' : 'does not decode'} the channel`],
    ['Player', browser.events.map(({ what, why }) => (why ? `${what} (${words(why)})` : what)).join(', ') || 'Nothing'],
  ]
}
