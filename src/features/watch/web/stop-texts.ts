import type { Watch } from '../contract.ts'
import type { Stop } from './use-play.ts'

/** The message of the player while nothing plays. `retries`: the player tries again automatically. */
export type StopText = {
  title: string
  text: string
  retries?: true
  action?: 'renew' | 'setup' | 'account' | 'log-in' | 'live'
}
type Facts = { channel: string; by: string | null; missing: string | undefined } & Pick<Watch, 'screens' | 'endedAt'>

const day = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

/**
 * The title and the text for a reason. `endedAt` is when the subscription ended; `by` is the device that took over. `missing` is
 * what this browser cannot play.
 */
export function stopText(stop: Stop, { channel, by, missing, screens, endedAt }: Facts): StopText {
  switch (stop) {
    case 'taken':
      return {
        title: `Playback moved to ${by ?? 'another device'}`,
        text: `Someone chose “Use It Here” there. It stopped here because your plan plays on ${screens === 1 ? 'one screen' : `${screens} screens`} at once.`,
      }
    case 'slots_full':
      return {
        title: screens === 1 ? 'Your screen is in use' : `All ${screens} of your screens are in use`,
        text: 'Choose one to stop. That device can take the screen back at any time.',
      }
    case 'took_turns':
      return { title: 'Screens were taken over three times in a minute', text: 'Try again in a minute.' }
    case 'expired':
      return {
        title: endedAt ? `Your subscription ended on ${day.format(new Date(endedAt))}` : 'You have no subscription yet',
        text: endedAt
          ? 'Renew to keep watching. Your login and watchlist stay as they are.'
          : 'Choose a plan to start watching.',
        action: 'renew',
      }
    case 'paused':
    case 'preparing':
      return {
        title: 'Your TV login is not ready yet',
        text: 'It usually takes less than a minute. Then press Try Again.',
        action: 'account',
      }
    case 'territory':
      return {
        title: `${channel} is not available in your country`,
        text: 'Our license for this channel does not cover the country that you are in.',
      }
    case 'not_licensed':
      return { title: `${channel} is not available here`, text: 'Choose another channel from the list.' }
    case 'channel_down':
      return { title: `${channel} is off the air`, text: 'The channel is not sending a stream.', retries: true }
    case 'archive_missing':
      return {
        title: 'This program is not in the archive',
        text: 'Go live, or choose another program.',
        action: 'live',
      }
    case 'panel_down':
    case 'relay_full':
      return { title: 'We cannot start the channel right now', text: 'The problem is on our side.', retries: true }
    case 'refused':
      return {
        title: 'Your TV login was not accepted',
        text: 'The problem is on our side. Please report it, so that we can fix it.',
        action: 'account',
      }
    case 'too_many':
      return {
        title: 'Your last stream is still being closed',
        text: 'Our streaming service still counts it. Try again in half a minute.',
      }
    case 'protected':
    case 'bad_stream':
    case 'codec':
      return {
        title: 'This browser cannot play this channel',
        text: missing
          ? `The channel sends ${missing}. The app on your TV or phone can play it.`
          : 'The app on your TV or phone may play it.',
        action: 'setup',
      }
    case 'session_over':
      return { title: 'You are logged out', text: 'Log in again to keep watching.', action: 'log-in' }
    case 'closed':
      return { title: 'Playback was stopped', text: 'Press play to continue.' }
    case 'network':
      return { title: 'The connection was lost', text: 'Playback continues as soon as it is back.', retries: true }
  }
}
