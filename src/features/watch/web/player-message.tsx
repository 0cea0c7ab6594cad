import { Mascot } from '#web/brand/mascot.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import type { Watch } from '../contract.ts'
import { PlayerRetry } from './player-retry.tsx'
import { PlayerScreens } from './player-screens.tsx'
import { stopText } from './stop-texts.ts'
import type { Stop } from './use-play.ts'

interface Props {
  stop: Stop
  by: string | null
  channelId: number
  channelName: string
  missing: string | undefined
  onLive: () => void
  watch: Watch
  /** Whether automatic retries are left. */
  mayRetry: boolean
  onRetry: () => void
  onTake: (playId: string) => void
}

/** Why nothing plays, with what the viewer can do about it. */
export function PlayerMessage({
  stop,
  by,
  channelId,
  channelName,
  missing,
  onLive,
  watch,
  mayRetry,
  onRetry,
  onTake,
}: Props) {
  const { title, text, retries, action } = stopText(stop, { channel: channelName, by, missing, ...watch })
  return (
    <div className="player-message" role={stop === 'preparing' ? 'status' : 'alert'}>
      <Mascot tier={2} eyes={2} size={72} mouth={false} />
      <h2>{title}</h2>
      <p>{text}</p>
      {stop === 'slots_full' && <PlayerScreens onTake={onTake} />}
      <div className="player-actions">
        {retries ? (
          <PlayerRetry automatic={mayRetry} onRetry={onRetry} />
        ) : (
          stop !== 'slots_full' &&
          action !== 'renew' &&
          action !== 'live' &&
          action !== 'log-in' && <Button onClick={onRetry}>{stop === 'taken' ? 'Take It Back' : 'Try Again'}</Button>
        )}
        {action === 'renew' && <ButtonLink to="/pricing">See All Plans</ButtonLink>}
        {action === 'live' && <Button onClick={onLive}>Go Live</Button>}
        {action === 'setup' && (
          <ButtonLink to="/setup" variant="line">
            Set Up an App
          </ButtonLink>
        )}
        {action === 'account' && (
          <ButtonLink to="/dashboard" variant="line">
            See My Account
          </ButtonLink>
        )}
        {action === 'log-in' ? (
          <ButtonLink to="/auth">Log In</ButtonLink>
        ) : (
          <ButtonLink to={'/check' as never} search={{ channel: channelId } as never} variant="ghost">
            Is it me or you?
          </ButtonLink>
        )}
      </div>
    </div>
  )
}
