import type { Watch } from '../contract.ts'
import { sinceText } from '../timeline-rules.ts'
import type { StopReason } from './use-play.ts'

/** What the viewer can do after playback has stopped. `retry`: play again. */
export type StopAction =
  | 'retry'
  | 'continue'
  | 'here'
  | 'renew'
  | 'setup'
  | 'account'
  | 'own-login'
  | 'log-in'
  | 'live'
  | 'report'
  | 'screens'
  | 'favorite'
/** The message in the player while nothing plays. `retries`: the player retries automatically. Unless it does, the first action is the primary button. */
export type StopText = { title: string; text: string; retries?: true; actions: StopAction[] }
type Facts = {
  channel: string
  takenBy: string | null
  missingCodec: string | undefined
  /** When playback stopped, in milliseconds; undefined if nothing had played. */
  at?: number | undefined
} & Pick<Watch, 'screens' | 'endedAt' | 'unattendedHours'>

const day = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })
const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

const screensText = (screens: number): string => (screens === 1 ? 'one screen' : `${screens} screens`)

/**
 * Returns the message for a reason. `endedAt`: when the subscription ended. `takenBy`: the device that took over the screen. `missingCodec`: the codec that
 * this browser does not support.
 */
export function stopText(
  reason: StopReason,
  { channel, takenBy, missingCodec, at, screens, endedAt, unattendedHours }: Facts,
): StopText {
  const since = at === undefined ? '' : ` at ${time.format(at)}`
  switch (reason) {
    case 'taken':
      return {
        title: `Playback moved to ${takenBy ?? 'another device'}`,
        text: `Someone chose “Use It Here” there${since}. It stopped here because your plan plays on ${screensText(screens)} at once.`,
        actions: ['retry', 'screens'],
      }
    case 'slots_full':
      return {
        title: screens === 1 ? 'Your screen is in use' : `All ${screens} of your screens are in use`,
        text: 'Choose one to stop. It can take the screen back at any time.',
        actions: [],
      }
    case 'other_tab':
      return {
        title: 'Playback moved to another tab',
        text: 'This browser plays on one screen at a time, so it stopped here.',
        actions: ['here'],
      }
    case 'took_turns':
      return { title: 'This screen changed hands three times', text: 'Try again in a minute.', actions: ['retry'] }
    case 'expired':
      return {
        title: endedAt ? `Your subscription ended on ${day.format(new Date(endedAt))}` : 'You have no subscription yet',
        text: endedAt
          ? 'Renew to keep watching. Your login, favorites, and watchlist stay as they are.'
          : 'Choose a plan to start watching.',
        actions: ['renew'],
      }
    case 'paused':
      return {
        title: 'Your TV login is paused',
        text: 'Contact us if you do not know why. Playback continues when it is active again.',
        actions: ['account'],
      }
    case 'preparing':
      return {
        title: 'Your TV login is not ready yet',
        text: 'Your payment is confirmed and your login is being made. It usually takes less than a minute. Playback starts here automatically.',
        actions: ['account', 'own-login'],
      }
    case 'territory':
      return {
        title: `${channel} is not available in your country`,
        text: 'Our license for this channel does not cover the country that you are in.',
        actions: ['retry'],
      }
    case 'not_licensed':
      return {
        title: `${channel} is not available here`,
        text: 'Choose another channel from the list.',
        actions: ['retry'],
      }
    case 'channel_down':
      return {
        title: `${channel} is off the air`,
        text: `${since ? `The channel stopped sending${since}.` : 'The channel is not sending a picture.'} We try again every 15 seconds.`,
        retries: true,
        actions: ['favorite', 'report'],
      }
    case 'archive_missing':
      return {
        title: 'This program is not in the archive',
        text: 'Go live, or choose another program.',
        actions: ['live'],
      }
    case 'relay_full':
      return {
        title: 'All places are taken for the moment',
        text: 'Too many viewers are watching right now. We try again every 15 seconds.',
        retries: true,
        actions: [],
      }
    case 'panel_down':
      return {
        title: 'We cannot start the channel right now',
        text: 'The problem is on our side. We try again every 15 seconds.',
        retries: true,
        actions: [],
      }
    case 'refused':
      return {
        title: 'Your TV login was not accepted',
        text: 'The problem is on our side. Please report it, so that we can fix it.',
        actions: ['retry', 'report', 'account'],
      }
    case 'too_many':
      return {
        title: 'Your last stream is still being closed',
        text: 'Our streaming service still counts that stream. Try again in half a minute.',
        actions: ['retry'],
      }
    case 'protected':
    case 'bad_stream':
    case 'codec':
      return {
        title: 'This browser cannot play this channel',
        text: missingCodec
          ? `The channel sends ${missingCodec}. ${helpFor(missingCodec)} The app on your TV or phone plays it as it is.`
          : 'The app on your TV or phone may play it.',
        actions: ['setup', 'retry'],
      }
    case 'shared_address':
      return {
        title: 'This screen was used in two places',
        text: 'The stream was requested from two networks in turn, so it stopped. Each place needs a screen of its own. A VPN that changes its address can also be the cause.',
        actions: ['retry', 'screens'],
      }
    case 'session_over':
      return { title: 'You are logged out', text: 'Log in again to keep watching.', actions: ['log-in'] }
    case 'closed':
      if (takenBy !== null)
        return {
          title: `Playback moved to ${takenBy}`,
          text: `This screen lost its connection for a while, so ${takenBy} got its place. Your plan plays on ${screensText(screens)} at once.`,
          actions: ['retry', 'screens'],
        }
      return { title: 'Playback was stopped', text: 'Press Try Again to continue.', actions: ['retry'] }
    case 'idle':
      return {
        title: 'Paused for a while',
        text: 'Your screen is free for another device. Press Continue to keep watching.',
        actions: ['continue'],
      }
    case 'unattended':
      return {
        title: 'Are you still there?',
        text: `Nothing was pressed for ${unattendedHours === 1 ? 'an hour' : `${unattendedHours} hours`}, so playback stopped and your screen is free.`,
        actions: ['continue'],
      }
    case 'sleep':
      return {
        title: 'The sleep timer stopped playback',
        text: 'Your screen is free for another device. Press Continue to keep watching.',
        actions: ['continue'],
      }
    case 'network':
      return {
        title: 'The connection was lost',
        text: 'Playback continues as soon as it is back.',
        retries: true,
        actions: [],
      }
  }
}

/**
 * Returns a text such as `14 other viewers have reported this. Our team has been on it since 8:36 PM.`; empty if there are no other reports and no
 * administrator is working on the channel.
 */
export function reportersText({ count, workingSince }: { count: number; workingSince: string | null }): string {
  const others =
    count === 0 ? '' : count === 1 ? 'Another viewer has reported this.' : `${count} other viewers have reported this.`
  return [others, workingSince && `Our team has been on it since ${sinceText(workingSince)}.`].filter(Boolean).join(' ')
}

/** Returns which browsers play a codec, which is named as in `codec-support.ts`. */
function helpFor(codec: string): string {
  if (codec.startsWith('Dolby')) return 'Edge on Windows and Safari play it.'
  return codec.startsWith('HEVC') ? 'Browsers play it only on devices that can decode it.' : 'No browser plays it.'
}

const ordinals = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth']
/** Returns a label such as `Add a Fourth Screen`, which is for a plan with three screens. */
export const addScreenText = (screens: number): string =>
  ['Add a', ordinals[screens], 'Screen'].filter(Boolean).join(' ')

/** Returns a text such as `This channel needs about 5.8 for full HD.` `bitrate`: what the current quality needs, in bits per second. */
export function neededText({ bitrate, height }: { bitrate: number; height: number }): string {
  const mbps = (bitrate / 1_000_000).toFixed(1)
  const quality = height >= 2160 ? '4K' : height >= 1080 ? 'full HD' : height >= 720 ? 'HD' : undefined
  return `This channel needs about ${mbps} ${quality ? `for ${quality}` : 'Mbps'}.`
}
