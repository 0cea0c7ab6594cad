import { sinceText } from '#features/watch/timeline-rules.ts'
import { isBefore } from '#kit/dates.ts'
import type { BrowserFacts, Cause, ServerFacts, Verdict } from '../contract.ts'
import { percentText, spanText } from '../evidence-rules.ts'
import { droppedOf, hostSpeedOf, neededKbps, speedOf, speedText } from '../rules.ts'

/**
 * A heading in up to three parts, of which `strong` is highlighted, and `lead`, which explains it. `finding`: what is announced after `strong`, instead of
 * `after`.
 */
export type VerdictText = { before: string; strong: string; after?: string; finding?: string; lead: string }
export type Step = { title: string; text: string }
type Facts = { channel: string; server: ServerFacts | null; browser: BrowserFacts }

const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })
const us = { before: 'It is ', strong: 'us.', after: ' Sorry.' }
const yours = (strong: string) => ({ before: 'It is ', strong })

/** The verdict as the customer reads it. */
export function verdictText(cause: Cause, side: string, { channel, server, browser }: Facts): VerdictText {
  const speed = speedOf(browser)
  const { all = 0 } = server?.screens ?? {}
  switch (cause) {
    case 'offline':
      return { ...yours('your network.'), lead: 'This device has no network. Nothing can play until it is back.' }
    case 'unreachable':
      return {
        before: 'We cannot tell ',
        strong: 'yet.',
        lead: 'Your device got no answer from us. Either your network or our site is down. Open another site to find out which.',
      }
    case 'expired':
      return {
        ...yours('the subscription.'),
        lead: 'You have no running subscription. Renew it to watch again.',
      }
    case 'paused':
      return { ...yours('the account.'), lead: 'Your TV login is paused. Contact us if you do not know why.' }
    case 'preparing':
      return { ...yours('the account.'), lead: 'Your TV login is not ready yet. It usually takes less than a minute.' }
    case 'login':
      return side === 'us'
        ? {
            ...us,
            lead: 'Your subscription is active, but our streaming service does not accept your TV login. Only we can fix this.',
          }
        : {
            ...yours('the login.'),
            lead: 'The TV login that you saved is not accepted. Enter the current one in your account.',
          }
    case 'screens':
      return {
        before: all === 1 ? 'Your screen is ' : 'All your screens are ',
        strong: 'in use.',
        lead: `Your plan plays on ${all === 1 ? 'one screen' : `${all} screens`} at once. Stop one of them, then try again.`,
      }
    case 'territory':
      return {
        ...yours('the license.'),
        lead: `Our license for ${channel} does not cover your current country.`,
      }
    case 'not_licensed':
      return { ...yours('the license.'), lead: `We have no license to show ${channel} at the moment.` }
    case 'busy':
      return {
        ...us,
        lead: 'Our site is overloaded right now. Try again in a few minutes. Nothing on your device needs to change.',
      }
    case 'panel':
      return {
        ...us,
        lead: 'Your side is fine. Our streaming service does not respond. Nothing on your device needs to change.',
      }
    case 'off_air':
      return {
        ...us,
        finding: `${channel} ${stoppedText(server)}.`,
        lead: `Your side is fine. ${channel} ${offAirText(server)}. Nothing on your device needs to change.`,
      }
    case 'format':
      return {
        ...yours('the channel.'),
        lead: `${channel} sends a format that no browser can play. The app on your TV or phone may play it.`,
      }
    case 'browser':
      return {
        ...yours('this browser.'),
        lead: 'It cannot play streams. A current Chrome, Edge, Firefox or Safari can.',
      }
    case 'codec':
      return {
        ...yours('this browser.'),
        lead: `It cannot decode ${channel}. The app on your TV or phone may play it.`,
      }
    case 'blocked':
      return {
        ...yours('this browser.'),
        lead: 'Something in it blocks our streams, most likely an extension. Our side and your connection are fine.',
      }
    case 'autoplay':
      return {
        ...yours('this browser.'),
        lead: 'It waits for a click or tap before it plays sound. Our side is fine.',
      }
    case 'frames':
      return {
        ...yours('this browser.'),
        lead: `It dropped ${percentText(droppedOf(browser) ?? 0)} of the frames of ${channel}, so the picture stutters. Our side and your connection are fine.`,
      }
    case 'hidden':
      return {
        ...yours('this browser.'),
        lead: 'This page was in the background. Browsers slow down pages that are hidden, or stop their video.',
      }
    case 'clock':
      return {
        ...yours('the clock.'),
        lead: `The clock of this device is off by ${spanText(Math.abs(browser.clockOffMs))}, so the guide and recordings show wrong times. Everything else works.`,
      }
    case 'slow':
      return {
        ...yours('your network.'),
        lead: `Your connection delivers ${speedText(speed ?? 0)} to this device. ${channel} needs about ${speedText(neededKbps(server))}. Our side and your account are fine.`,
      }
    case 'unstable':
      return {
        ...yours('your network.'),
        lead: 'Your connection is fast enough, but it keeps dropping out. Our side and your account are fine.',
      }
    case 'slow_host':
      return {
        ...yours('the streaming server.'),
        lead: `The streaming server sends ${speedText(hostSpeedOf(browser) ?? 0)} to this device. ${channel} needs about ${speedText(neededKbps(server))}. Your connection is fine: our site sends ${speedText(speed ?? 0)}.`,
      }
    case 'not_seen':
      return {
        before: 'We cannot ',
        strong: 'tell.',
        lead: 'The checks found no cause. Send us the results, and a person will look into it.',
      }
    case 'works':
      return {
        before: 'Everything ',
        strong: 'works.',
        lead: 'If the picture stops again, run this check right away: the report contains what we measure.',
      }
  }
}

/** What is announced when a check ends: `It is us. Harbor Drama stopped sending at 8:34 PM.` */
export const announcedVerdict = ({ before, strong, after = '', finding }: VerdictText): string =>
  finding ? `${before}${strong} ${finding}` : `${before}${strong}${after}`

/** States that a channel sends nothing and, if known, since when. */
function stoppedText(server: ServerFacts | null): string {
  const { workingSince, others } = server ?? {}
  const failingSince = others?.failingSince
  // `failingSince` is the first failure in the last 15 minutes. If our team began work before it, the channel had already failed earlier.
  const isStart = failingSince && !(workingSince && isBefore(workingSince, failingSince))
  return isStart ? `stopped sending at ${time.format(new Date(failingSince))}` : 'is not sending'
}

/** States since when a channel sends nothing, and since when our team has been working on it. */
function offAirText(server: ServerFacts | null): string {
  const stopped = stoppedText(server)
  if (!server?.workingSince) return stopped
  return `${stopped}, and our team has been on it since ${sinceText(server.workingSince)}`
}

/** The heading of the report card and the sentence below it. */
export function reportTexts({ side }: Verdict, isSent: boolean): { title: string; lead: string } {
  if (isSent) return { title: 'Report sent', lead: 'This is what our team sees.' }
  return side === 'fine'
    ? { title: 'Still not right?', lead: 'Send us what we measured, and a person will look into it.' }
    : { title: 'Tell our team', lead: 'We have filled this in from the checks.' }
}

const network: Step[] = [
  { title: 'Move closer to the router', text: 'Or use a cable. Then check again.' },
  { title: 'Restart the router', text: 'Unplug it for 30 seconds.' },
  { title: 'Watch at a lower quality until then', text: 'The player has a menu for it.' },
]
const connection: Step[] = [
  { title: 'Check the network of this device', text: 'Open another site.' },
  { title: 'Restart the router', text: 'Unplug it for 30 seconds. Then check again.' },
]
const format: Step[] = [
  { title: 'Use the app on your TV or phone', text: 'It plays formats that browsers cannot.' },
  { title: 'Try another browser', text: 'Edge and Safari play more formats than others.' },
]
const steps: Partial<Record<Cause, Step[]>> = {
  slow: network,
  unstable: network,
  slow_host: [
    {
      title: 'Watch through our site',
      text: 'Press Watch Now. This page then loads the channel from us for ten minutes.',
    },
    { title: 'If you use a VPN, turn it off', text: 'It can slow down individual servers. Then check again.' },
  ],
  offline: connection,
  unreachable: connection,
  codec: format,
  browser: format,
  format,
  screens: [{ title: 'Stop a screen that you do not need', text: 'Then check again.' }],
  blocked: [
    { title: 'Allow this site in your ad blocker', text: 'Other extensions can block streams, too. Then check again.' },
    { title: 'Try a private window', text: 'Most extensions are off in it.' },
  ],
  autoplay: [
    { title: 'Press Play in the player', text: 'The picture and sound start then.' },
    { title: 'Allow sound for this site', text: 'The setting is in the address bar, next to the page address.' },
  ],
  frames: [
    { title: 'Close other tabs and programs', text: 'They use processing power that the video needs.' },
    { title: 'Watch at a lower quality', text: 'The player has a menu for it.' },
    { title: 'Update this browser', text: 'Older versions need more processing power for the same video.' },
  ],
  hidden: [{ title: 'Keep the page visible', text: 'Picture in picture counts as visible. Then check again.' }],
  clock: [{ title: 'Let the device set its clock', text: 'The setting is under date and time. Then check again.' }],
}
/** What the customer can try, in this order; empty if there is nothing. */
export const stepsFor = (cause: Cause): Step[] => steps[cause] ?? []

/** The page on which the customer can do something about a cause, if there is one. */
export const actionFor = (
  cause: Cause,
  side: string,
): { to: string; label: string; search?: { tab: string } } | null => {
  if (cause === 'screens') return { to: '/screens', label: 'See Screens' }
  if (cause === 'expired') return { to: '/pricing', label: 'See All Plans' }
  if (cause === 'paused' || cause === 'preparing') return { to: '/dashboard', label: 'See My Account' }
  if (cause === 'login' && side === 'you')
    return { to: '/dashboard', search: { tab: 'iptv' }, label: 'Enter the Login' }
  if (cause === 'codec' || cause === 'browser' || cause === 'format') return { to: '/setup', label: 'Set Up an App' }
  return null
}
