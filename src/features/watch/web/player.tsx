import { useQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { query } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { useLocalStorage } from '#web/ui/use-local-storage.ts'
import { getPlay, type Watch } from '../contract.ts'
import type { Timeline } from './player/use-timeline.ts'
import type { PlayerActions } from './player-actions.ts'
import { PlayerControls } from './player-controls.tsx'
import { PlayerMessage } from './player-message.tsx'
import { useControlsShown } from './use-controls-shown.ts'
import { useOnline } from './use-online.ts'
import type { PlayState, Stop } from './use-play.ts'
import type { VideoState } from './use-video.ts'

interface Props {
  watch: Watch
  channelId: number
  channelName: string
  programTitle: string | undefined
  state: PlayState
  video: RefObject<HTMLVideoElement | null>
  container: RefObject<HTMLElement | null>
  picture: VideoState
  bitrate: number
  actions: PlayerActions
  timeline: Timeline | undefined
  onMove: (to: number) => void
  menus: ReactNode
  /** Layers over the picture, such as the channel strip. */
  layers: ReactNode
  /** What this browser lacks for the channel, if that is known. */
  missing: string | undefined
  onPlay: (take?: string) => void
  /** Plays again after the device `by` took the screen over. */
  onTakeBack: (by: string | null) => void
  onEnded: (stop: Stop, by: string | null) => void
}
const retriesForMs = 10 * 60_000
const slowMs = 8_000

/** The picture with its controls and messages. */
export function Player({
  watch,
  channelId,
  channelName,
  programTitle,
  state,
  video,
  container,
  picture,
  bitrate,
  actions,
  timeline,
  onMove,
  menus,
  layers,
  missing,
  onPlay,
  onTakeBack,
  onEnded,
}: Props) {
  const isOnline = useOnline()
  const failingSince = useRef(0)
  const isSlow = useDelayed(state.phase === 'opening' || (state.phase === 'playing' && !picture.hasPicture), slowMs)
  const isBuffering = useDelayed(state.phase === 'playing' && picture.isWaiting && !picture.isPaused, slowMs)
  const isShown = useControlsShown(container, state.phase === 'playing' && !picture.isPaused)
  useEndedElsewhere(state, onEnded)

  if (state.phase === 'playing' && picture.hasPicture) failingSince.current = 0
  if (state.phase === 'stopped' && failingSince.current === 0) failingSince.current = Date.now()
  const isPlaying = state.phase === 'playing' && picture.hasPicture
  useEffect(() => {
    if (isPlaying) announce(`Playing ${channelName}`)
  }, [isPlaying, channelName])
  const wasOffline = useRef(false)
  useEffect(() => {
    // Playback continues automatically once the network is back.
    if (isOnline && wasOffline.current && state.phase === 'stopped' && state.stop === 'network') onPlay()
    wasOffline.current = !isOnline
  }, [isOnline, state, onPlay])

  const isWaiting =
    state.phase === 'opening' || (state.phase === 'playing' && (!picture.hasPicture || picture.isWaiting))
  return (
    <section
      ref={container as RefObject<HTMLElement>}
      className="player stage"
      aria-label={`Player: ${channelName}`}
      data-quiet={!isShown || undefined}
      data-captions={useCaptionSize()}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: captions are in the stream, where a channel has some */}
      <video ref={video} playsInline onClick={actions.togglePlay} />
      {state.phase === 'ready' && (
        <button type="button" className="player-start" onClick={() => onPlay()}>
          <span>
            <Play />
          </span>
          Play {channelName}
        </button>
      )}
      {isWaiting && (
        <div className="player-wait">
          <Spinner />
          {state.phase === 'opening' && !isSlow && <p>Opening {channelName}</p>}
          {isSlow && <p role="status">The channel is slow to start.</p>}
          {isBuffering && picture.hasPicture && (
            <>
              <p role="status">Buffering. Your connection is at {(bitrate / 1_000_000).toFixed(1)} Mbps.</p>
              <ButtonLink to={'/check' as never} search={{ channel: channelId } as never} variant="line" size="sm">
                Check My Connection
              </ButtonLink>
            </>
          )}
        </div>
      )}
      {!isOnline && state.phase !== 'ready' && (
        <p className="player-offline" role="status">
          You are offline. Playback continues as soon as the network is back.
        </p>
      )}
      {state.phase === 'stopped' && (
        <PlayerMessage
          key={state.stop}
          stop={state.stop}
          by={state.by}
          channelId={channelId}
          channelName={channelName}
          missing={missing}
          onLive={actions.goLive}
          watch={watch}
          mayRetry={isOnline && Date.now() - failingSince.current < retriesForMs}
          onRetry={() => (state.stop === 'taken' ? onTakeBack(state.by) : onPlay())}
          onTake={onPlay}
        />
      )}
      {state.phase === 'playing' && (
        <div className="player-controls">
          <PlayerControls
            channelName={channelName}
            programTitle={programTitle}
            video={picture}
            actions={actions}
            timeline={timeline}
            onMove={onMove}
            isRecording={state.recording !== null}
            menus={menus}
          />
        </div>
      )}
      {state.phase === 'playing' && state.recording && !state.recording.isSure && (
        <p className="player-unsure" role="status">
          This recording may start up to an hour earlier or later.
        </p>
      )}
      {layers}
    </section>
  )
}

/** The size of captions that the viewer chose, in percent; undefined for that of the system. */
const useCaptionSize = (): string | undefined => useLocalStorage('watch-caption-size')[0] || undefined

/** True once `condition` has held for this long. */
function useDelayed(condition: boolean, ms: number): boolean {
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    if (!condition) return
    const timer = setTimeout(() => setDue(true), ms)
    return () => {
      clearTimeout(timer)
      setDue(false)
    }
  }, [condition, ms])
  return condition && isDue
}

/** Calls `onEnded` when another device or the server ended the play. The page's socket fetches the play again when it changes. */
function useEndedElsewhere(state: PlayState, onEnded: Props['onEnded']): void {
  const playId = state.phase === 'playing' ? state.playId : undefined
  const { data } = useQuery({ ...query(getPlay, { params: { playId: playId ?? '' } }), enabled: playId !== undefined })
  const why = playId === undefined ? null : (data?.why ?? null)
  const by = data?.takenBy ?? null
  useEffect(() => {
    if (why) onEnded(why, by)
  }, [why, by, onEnded])
}
