import { lazy, Suspense, useEffect } from 'react'
import { Spinner } from '#web/ui/spinner.tsx'
import type { StreamChoices } from '../engine/stream-types.ts'
import type { PlayState } from '../use-play.ts'
import { useDelayed } from './use-delayed.ts'

const loadTrouble = () => import('./player-trouble.tsx')
const PlayerTrouble = lazy(() => loadTrouble().then((module) => ({ default: module.PlayerTrouble })))

interface Props {
  channelId: number
  channelName: string
  program: string | undefined
  state: PlayState
  isSlow: boolean
  /** Whether playback has been waiting for data for a long time. */
  isBuffering: boolean
  /** Bits per second. */
  bitrate: number
  quality: Pick<StreamChoices, 'bitrate' | 'height'> | undefined
  onLowerQuality: (() => void) | undefined
}
const spinnerDelayMs = 700

/** The spinner that is shown until there is a picture. After a while, a text explains the delay. */
export function PlayerWait({
  channelId,
  channelName,
  program,
  state,
  isSlow,
  isBuffering,
  bitrate,
  quality,
  onLowerQuality,
}: Props) {
  const isSpinnerShown = useDelayed(true, spinnerDelayMs)
  const opening = state.phase === 'opening' ? state : undefined
  const tryNumber = opening?.tryNumber
  // This component is loaded in advance, because it must also appear without a network.
  useEffect(() => void loadTrouble().catch(() => undefined), [])
  const isClosingLast = opening?.isClosingLast === true
  if (tryNumber !== undefined || isClosingLast || isBuffering)
    return (
      <Suspense>
        <PlayerTrouble {...{ channelId, tryNumber, isClosingLast, bitrate, quality, onLowerQuality }} />
      </Suspense>
    )
  return (
    <div className="player-wait">
      {isSpinnerShown && <Spinner />}
      {isSlow ? (
        <p role="status">The channel is slow to start.</p>
      ) : (
        opening && (
          <p>
            Opening {channelName}
            {program && <b>{program}</b>}
          </p>
        )
      )}
    </div>
  )
}
