import type { BrowserFacts, Cause, ServerFacts, Side, Verdict } from './contract.ts'
import { delayOf, droppedOf, hostSpeedOf, isClockWrong, jitterOf, neededKbps, speedOf, speedText } from './rules.ts'

/** The finding for each cause in one sentence, for administrators and in reports. */
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
  blocked: 'Something in the browser blocks the streams.',
  autoplay: 'The browser waits for a click or tap before it plays sound.',
  slow: 'The connection of the viewer is too slow for the channel.',
  unstable: 'The connection of the viewer loses data.',
  slow_host: 'The streaming host is slow for the viewer. The connection to this site is fast.',
  frames: 'The browser drops frames.',
  hidden: 'The page was in the background.',
  clock: 'The clock of the device is wrong.',
  not_seen: 'The checks found no cause.',
  works: 'Everything worked during the check.',
}
/** The description of a report: one sentence about the cause, one about the connection and, if it was measured, one about the streaming host. */
export function summaryOf({ cause }: Verdict, server: ServerFacts | null, browser: BrowserFacts): string {
  const speed = speedOf(browser)
  const delay = delayOf(browser)
  const measured = [
    speed === null ? 'speed unknown' : `${speedText(speed)} of ${speedText(neededKbps(server))} needed`,
    delay === null ? 'no answer to test requests' : `${delay} ms`,
  ]
  const hostSpeed = hostSpeedOf(browser)
  const host = hostSpeed === null ? '' : ` Streaming host: ${speedText(hostSpeed)}.`
  return `Self-check: ${causeTexts[cause]} Connection: ${measured.join(', ')}.${host}`
}

/** Formats a fraction from 0 to 1, such as `12 %`. */
export const percentText = (fraction: number): string => `${Math.round(fraction * 100)} %`
/** Formats a duration, such as `90 seconds`, `12 minutes`, `2 hours` or `3 days`. */
export function spanText(ms: number): string {
  const [amount, unit] =
    ms < 120_000
      ? [ms / 1_000, 'seconds']
      : ms < 7_200_000
        ? [ms / 60_000, 'minutes']
        : ms < 172_800_000
          ? [ms / 3_600_000, 'hours']
          : [ms / 86_400_000, 'days']
  return `${Math.round(amount)} ${unit}`
}

const sideTexts: Record<Side, string> = {
  you: 'The viewer’s side',
  us: 'Our side',
  channel: 'The channel',
  license: 'Not licensed',
  between: 'Between the viewer and the streaming host',
  fine: 'Everything works',
  unknown: 'Cannot tell',
}
const words = (code: string): string => code.replaceAll('_', ' ')
type EvidenceInput = { device: string; verdict: Verdict; server: ServerFacts; browser: BrowserFacts }
/** The results of a check as labels and values, for administrators. */
export function evidenceRows({ device, verdict, server, browser }: EvidenceInput): [string, string][] {
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
    ...hostRows(server, browser),
    ['Device', [device, ...browserTexts(browser)].join(', ')],
    ['Player', browser.events.map(({ what, why }) => (why ? `${what} (${words(why)})` : what)).join(', ') || 'Nothing'],
  ]
}

/** The row with the speed of the streaming host, if that was measured. */
function hostRows(server: ServerFacts, browser: BrowserFacts): [string, string][] {
  const speed = hostSpeedOf(browser)
  if (speed === null || server.directHost == null) return []
  const after = speedOf({ sample: browser.host?.after ?? null })
  const again = after === null ? '' : `, this site ${speedText(after)} directly afterwards`
  return [['Streaming host', `${speedText(speed)} from host ${server.directHost} of direct delivery${again}`]]
}

function browserTexts(browser: BrowserFacts): string[] {
  const dropped = droppedOf(browser)
  return [
    `${browser.decodes ? 'decodes' : 'does not decode'} the channel`,
    ...(dropped === null ? [] : [`${percentText(dropped)} of the frames dropped`]),
    ...(browser.blocked ? ['streams blocked in the browser'] : []),
    ...(browser.hidden ? ['page hidden during the check'] : []),
    ...(isClockWrong(browser) ? [`clock off by ${spanText(Math.abs(browser.clockOffMs))}`] : []),
  ]
}
