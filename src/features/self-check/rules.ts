import type { ReportIssue } from '#features/reports/contract.ts'
import type { BrowserFacts, Cause, ServerFacts, Side, Verdict } from './contract.ts'

/** A check ends after this time, in milliseconds, with the results so far. */
export const mostMs = 12_000
/** The delay from which a connection is called slow to answer, in milliseconds. */
export const slowDelayMs = 150
/** What a channel is taken to need when its playlist does not say it, in kilobits per second. */
export const usualKbps = 5_000
/** A connection needs this much more than the channel. */
const headroom = 1.2
const mostLate = 3
const mostLost = 1

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
/** What the channel needs of the connection, in kilobits per second. */
export const neededKbps = (server: ServerFacts | null): number =>
  Math.round((server?.probe.kbps ?? usualKbps) * headroom)
/** The median delay, in milliseconds; null if no request was answered. */
export const delayOf = ({ delaysMs }: BrowserFacts): number | null =>
  [...delaysMs].sort((a, b) => a - b)[Math.floor(delaysMs.length / 2)] ?? null

/** Whether this channel fails for most other customers who try it, and no other customer watches it. */
const failsForOthers = ({ others }: ServerFacts): boolean =>
  others.viewers === 0 && others.starts >= 3 && others.failedCustomers >= 2 && others.failures * 2 >= others.starts
/** Whether channels fail for most other customers, whatever they watch. */
const failsEverywhere = ({ service, others }: ServerFacts): boolean =>
  others.viewers === 0 &&
  service.starts >= 6 &&
  service.failedCustomers >= 3 &&
  service.failedChannels >= 3 &&
  service.failures * 2 >= service.starts

/**
 * Decides why a channel does not play: the first cause that explains it, from the account to the browser. A fault of our side needs evidence that the
 * customer's side cannot produce; facts that contradict each other, or are missing, end in `unknown`. `server` is null if the check did not answer.
 */
export function judge(server: ServerFacts | null, browser: BrowserFacts): Verdict {
  if (!browser.online) return verdictOf('offline')
  if (!server) return browser.server === 'busy' ? verdictOf('busy') : verdictOf('unreachable')
  if (server.account !== 'ok') return verdictOf(server.account)
  const isAlive = server.probe.result === 'alive'
  if (server.line.login === 'refused' && !isAlive) return verdictOf('login', server.line.kind === 'ours' ? 'us' : 'you')
  if (server.place !== 'ok') return verdictOf(server.place)
  const { used, all, playsHere } = server.screens
  if (used >= all && !playsHere) return verdictOf('screens')
  if (server.relay === 'full') return verdictOf('busy')
  return judgeOurSide(server) ?? judgeBrowser(browser) ?? judgeConnection(server, browser) ?? rest(server)
}

function judgeOurSide(server: ServerFacts): Verdict | null {
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

function judgeBrowser({ mediaSource, decodes, events }: BrowserFacts): Verdict | null {
  if (!mediaSource) return verdictOf('browser')
  const failedToDecode = events.some(({ what, why }) => what === 'stopped' && why === 'codec')
  return !decodes || failedToDecode ? verdictOf('codec') : null
}

function judgeConnection(server: ServerFacts, browser: BrowserFacts): Verdict | null {
  const speed = speedOf(browser)
  const isShort = speed !== null && speed < neededKbps(server)
  const isUneven = browser.lost > mostLost || (browser.sample?.lateParts ?? 0) > mostLate
  if (speed !== null && !isShort && !isUneven) return null
  // A busy relay also makes a sample slow.
  if (server.relay === 'busy') return verdictOf('not_seen')
  if (isShort) return verdictOf('slow')
  return isUneven ? verdictOf('unstable') : verdictOf('not_seen')
}

/** Nothing was found: everything works if the channel was seen to work. */
function rest({ probe, screens, others, line, channelName }: ServerFacts): Verdict {
  const wasSeen = probe.result === 'alive' || screens.playsHere || others.viewers > 0
  if (channelName === null) return verdictOf(line.login === 'ok' ? 'works' : 'not_seen')
  return verdictOf(wasSeen ? 'works' : 'not_seen')
}

/** The kind of problem that a report names. */
export const issueOf = ({ cause }: Verdict): ReportIssue =>
  cause === 'slow' || cause === 'unstable' ? 'buffering' : 'not_working'

const mbps = (kbps: number): string => (kbps / 1000).toFixed(kbps < 10_000 ? 1 : 0)
/** Such as `48 Mbps`. */
export const speedText = (kbps: number): string => `${mbps(kbps)} Mbps`

/** What was found, in one sentence for the team. */
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
/** The finding for administrators: one sentence on the cause and one on the connection. */
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
export function evidenceLines({ device, verdict, server, browser }: Measured): [string, string][] {
  const { others, probe, screens, service } = server
  const speed = speedOf(browser)
  const delay = delayOf(browser)
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
    ['Connection', `${speed === null ? 'not measured' : speedText(speed)}, ${delay ?? 'no'} ms, ${browser.lost} lost`],
    ['Device', `${device}, ${browser.decodes ? 'decodes' : 'does not decode'} the channel`],
    ['Player', browser.events.map(({ what, why }) => (why ? `${what} (${words(why)})` : what)).join(', ') || 'Nothing'],
  ]
}
