import { useEffect, useState } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { maxTries } from '../engine/reconnect-rules.ts'
import type { StreamChoices } from '../engine/stream-types.ts'
import { neededText } from '../stop-texts.ts'
import { useDelayed } from './use-delayed.ts'

interface Props {
  channelId: number
  /** The number of the current try to open a lost stream again; undefined if playback is waiting for data. */
  tryNumber: number | undefined
  /** Whether the panel still counts the last stream. */
  isClosingLast: boolean
  /** Bits per second. */
  bitrate: number
  /** The quality that is playing, if it is known. */
  quality: Pick<StreamChoices, 'bitrate' | 'height'> | undefined
  onLowerQuality: (() => void) | undefined
}
/** A loss of the stream is shown only after this time, in milliseconds. */
const shownAfterMs = 700
const mbps = (bits: number) => (bits / 1_000_000).toFixed(1)

/** The total delay, in seconds, between the attempts to open a play while the panel still counts the last stream. */
const closingSeconds = 15

/** Shows why there is no new picture: the last stream is still being closed, the stream was lost, or the connection is slow. */
export function PlayerTrouble({ channelId, tryNumber, isClosingLast, bitrate, quality, onLowerQuality }: Props) {
  const isShown = useDelayed(true, shownAfterMs)
  if (isClosingLast)
    return (
      <div className="player-wait">
        <Spinner />
        <p role="status">Your last stream is still being closed. Please wait.</p>
        <SecondsLeft />
      </div>
    )
  if (tryNumber !== undefined)
    return (
      isShown && (
        <div className="player-message player-clear">
          <Spinner />
          <h2>
            <span role="status">Reconnecting</span>
          </h2>
          <p className="num">
            Try {tryNumber} of {maxTries}
          </p>
        </div>
      )
    )
  return (
    <div className="player-message player-clear">
      <Spinner />
      <h2>
        <span role="status">Buffering</span>
      </h2>
      <p className="num">
        {bitrate > 0 ? `Your connection is at ${mbps(bitrate)} Mbps.` : 'Your connection seems slow.'}
        {quality && quality.bitrate > 0 && ` ${neededText(quality)}`}
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
}

/** Counts down the seconds. Screen readers do not announce them. */
function SecondsLeft() {
  const [left, setLeft] = useState(closingSeconds)
  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => Math.max(1, seconds - 1)), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <p className="num" aria-hidden="true">
      {left} {left === 1 ? 'second' : 'seconds'} at most
    </p>
  )
}
