import type { Watch } from '../contract.ts'
import type { Stop } from './use-play.ts'

/** What the player says when nothing plays. `retries`: it tries again without a press. */
export type StopText = {
  title: string
  text: string
  retries?: true
  action?: 'renew' | 'setup' | 'account' | 'log-in'
}
type Facts = { channel: string; by: string | null } & Pick<Watch, 'screens' | 'endedAt'>

const day = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

/** The title and the text of each reason. */
export function stopText(stop: Stop, { channel, by, screens, endedAt }: Facts): StopText {
  switch (stop) {
    case 'taken':
      return {
        title: `Playback moved to ${by ?? 'another device'}`,
        text: `Someone chose “Use It Here” there. It stopped here because your plan plays on ${screens === 1 ? 'one screen' : `${screens} screens`} at once.`,
      }
    case 'slots_full':
      return {
        title: screens === 1 ? 'Your screen is in use' : `All ${screens} of your screens are in use`,
        text: 'Choose one to stop. It can take the screen back at any time.',
      }
    case 'took_turns':
      return { title: 'This screen changed hands three times', text: 'Try again in a minute.' }
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
      return { title: `${channel} is off the air`, text: 'The channel stopped sending.', retries: true }
    case 'panel_down':
    case 'relay_full':
      return { title: 'We cannot start the channel right now', text: 'It is us, not you.', retries: true }
    case 'refused':
      return {
        title: 'Your TV login was not accepted',
        text: 'It is us, not you. Please report it, so that we can repair it.',
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
        text: 'The app on your TV or phone plays it as it is.',
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
