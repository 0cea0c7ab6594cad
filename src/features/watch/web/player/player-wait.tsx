import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { useDelayed } from './use-delayed.ts'

interface Props {
  channelId: number
  channelName: string
  isOpening: boolean
  isSlow: boolean
  /** The panel still counts the last stream. */
  isClosingLast: boolean
  /** Playback has been waiting for data for a long time. */
  isBuffering: boolean
  /** Bits per second. */
  bitrate: number
  neededBitrate: number
  onLowerQuality: (() => void) | undefined
}
const spinnerDelayMs = 700
const mbps = (bits: number) => (bits / 1_000_000).toFixed(1)

/** What is shown until there is a picture. After a while, a text explains the spinner. */
export function PlayerWait({
  channelId,
  channelName,
  isOpening,
  isSlow,
  isClosingLast,
  isBuffering,
  bitrate,
  neededBitrate,
  onLowerQuality,
}: Props) {
  const isSpinnerShown = useDelayed(true, spinnerDelayMs)
  if (isBuffering)
    return (
      <div className="player-message player-clear">
        <Spinner />
        <h2>
          <span role="status">Buffering</span>
        </h2>
        <p className="num">
          Your connection is at {mbps(bitrate)} Mbps.
          {neededBitrate > 0 && ` This channel needs about ${mbps(neededBitrate)} Mbps.`}
        </p>
        <div className="player-actions">
          {onLowerQuality && <Button onClick={onLowerQuality}>Lower the Quality</Button>}
          <ButtonLink
            to={'/check' as never}
            search={{ channel: channelId } as never}
            variant={onLowerQuality ? 'line' : undefined}
          >
            Check My Connection
          </ButtonLink>
        </div>
      </div>
    )
  return (
    <div className="player-wait">
      {isSpinnerShown && <Spinner />}
      {isOpening && !isSlow && !isClosingLast && <p>Opening {channelName}</p>}
      {(isClosingLast || isSlow) && (
        <p role="status">
          {isClosingLast ? 'Your last stream is still being closed. Please wait.' : 'The channel is slow to start.'}
        </p>
      )}
    </div>
  )
}
