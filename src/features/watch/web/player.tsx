import { Play } from 'lucide-react'
import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import type { NowNext } from '#features/guide/rules.ts'
import { useIsHydrated } from '#web/ui/hydration/use-is-hydrated.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { useLocalStorage } from '#web/ui/use-local-storage.ts'
import type { Watch } from '../contract.ts'
import type { StreamChoices } from './engine/stream-types.ts'
import { PlayerWait } from './player/player-wait.tsx'
import { type ShownProgram, useAnnouncePlaying } from './player/use-announce-playing.ts'
import { useAutomaticRetry } from './player/use-automatic-retry.ts'
import { useDelayed } from './player/use-delayed.ts'
import { useEndedElsewhere } from './player/use-ended-elsewhere.ts'
import { useFocusWithin } from './player/use-focus-within.ts'
import type { Timeline } from './player/use-timeline.ts'
import type { PlayerActions } from './player-actions.ts'
import { PlayerControls } from './player-controls.tsx'
import { useControlsShown } from './use-controls-shown.ts'
import { useOnline } from './use-online.ts'
import type { PlayState, StopReason } from './use-play.ts'
import type { VideoState } from './use-video.ts'

const loadMessage = () => import('./player-message.tsx')
const PlayerMessage = lazy(() => loadMessage().then((module) => ({ default: module.PlayerMessage })))

interface Props {
  watch: Watch
  /** What is on now and next, by channel id. */
  programs: ReadonlyMap<number, NowNext> | undefined
  channel: Watch['channels'][number]
  program: ShownProgram | undefined
  state: PlayState
  /** Whether the browser plays sound only after the viewer has pressed something. */
  isAutoplayBlocked: boolean
  video: RefObject<HTMLVideoElement | null>
  container: RefObject<HTMLElement | null>
  videoState: VideoState
  bitrate: number
  /** The quality that is playing, if it is known. */
  quality: Pick<StreamChoices, 'bitrate' | 'height'> | undefined
  onLowerQuality: (() => void) | undefined
  actions: PlayerActions
  timeline: Timeline | undefined
  onSeek: (to: number) => void
  menus: ReactNode
  /** What is shown behind the messages while nothing plays. */
  poster: ReactNode
  /** Layers over the picture, such as the channel strip. */
  layers: ReactNode
  /** The codec of the channel that this browser does not support, if one is known. */
  missingCodec: string | undefined
  onPlay: (take?: string) => void
  /** Plays again, and takes the screen back from the device `takenBy`. */
  onTakeBack: (takenBy: string | null) => void
  onEnded: (reason: StopReason, takenBy: string | null) => void
}
/** The reasons that do not depend on the network. Their messages are shown even while the browser is offline. */
const independentOfNetwork: ReadonlySet<StopReason> = new Set(['expired', 'preparing', 'slots_full', 'taken'])
/** How long the player retries automatically, in milliseconds. */
const retriesForMs = 10 * 60_000
/** After how many milliseconds the player says that opening is slow. */
const slowMs = 8_000
/** After how many milliseconds of buffering the player explains the pause. */
const bufferingMs = 10_000

/** The video with its controls and messages. */
export function Player({
  watch,
  programs,
  channel: { id: channelId, name: channelName, number, logo },
  program,
  state,
  isAutoplayBlocked,
  video,
  container,
  videoState,
  bitrate,
  quality,
  onLowerQuality,
  actions,
  timeline,
  onSeek,
  menus,
  poster,
  layers,
  missingCodec,
  onPlay,
  onTakeBack,
  onEnded,
}: Props) {
  const isOnline = useOnline()
  const isHydrated = useIsHydrated()
  const failingSince = useRef(0)
  const [stoppedAt, setStoppedAt] = useState<number>()
  const isSlow = useDelayed(state.phase === 'opening' || (state.phase === 'playing' && !videoState.hasPicture), slowMs)
  const isBuffering = useDelayed(state.phase === 'playing' && videoState.isWaiting && !videoState.isPaused, bufferingMs)
  const { areControlsShown, isTouch } = useControlsShown(container, state.phase === 'playing' && !videoState.isPaused)
  const hadFocus = useFocusWithin(container)
  useEndedElsewhere(state, onEnded)

  if (state.phase === 'playing' && videoState.hasPicture) failingSince.current = 0
  if (state.phase === 'stopped' && failingSince.current === 0) failingSince.current = Date.now()
  const isPlaying = state.phase === 'playing' && videoState.hasPicture
  useAnnouncePlaying({ isPlaying, isBuffering, channelName, program })
  useEffect(() => {
    if (!isPlaying) return
    // The message component is loaded in advance, because a message must also appear without a network.
    void loadMessage()
    return () => setStoppedAt(Date.now())
  }, [isPlaying])
  const hasControls = state.phase === 'playing'
  useEffect(() => {
    // The controls of the previous channel had the focus, so the new ones get it.
    if (hasControls && hadFocus.current && document.activeElement === document.body)
      container.current?.querySelector<HTMLElement>('.player-main')?.focus({ preventScroll: true })
  }, [hasControls, container, hadFocus])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another channel has not played yet
  useEffect(() => setStoppedAt(undefined), [channelId])
  const wasOffline = useRef(false)
  useEffect(() => {
    // Playback continues automatically once the network is back.
    if (isOnline && wasOffline.current && state.phase === 'stopped' && state.reason === 'network') onPlay()
    wasOffline.current = !isOnline
  }, [isOnline, state, onPlay])
  useStartOnceReady(watch.blocked, onPlay)

  const { isTrying, stopped, retry } = useAutomaticRetry(state, channelId, onPlay)
  const isWaiting =
    (state.phase === 'opening' && !isTrying) ||
    (state.phase === 'playing' && (!videoState.hasPicture || videoState.isWaiting))
  const isOffline =
    !isOnline && state.phase !== 'ready' && !(state.phase === 'stopped' && independentOfNetwork.has(state.reason))
  const needsPress = state.phase === 'ready' || (isAutoplayBlocked && state.phase === 'playing' && videoState.isPaused)
  return (
    <section
      ref={container as RefObject<HTMLElement>}
      className="player stage"
      aria-label={`Player: ${channelName}`}
      data-idle={!areControlsShown || undefined}
      data-captions={useCaptionChoice('size')}
      data-caption-background={useCaptionChoice('background')}
    >
      {state.phase !== 'playing' && !videoState.hasPicture && poster}
      {/* biome-ignore lint/a11y/useMediaCaption: captions are in the stream, where a channel has some */}
      <video ref={video} playsInline onClick={() => !isTouch.current && actions.togglePlay()} />
      {needsPress && (
        <button
          type="button"
          className="player-start"
          onClick={() => (state.phase === 'ready' ? onPlay() : actions.togglePlay())}
        >
          <span>
            <Play />
          </span>
          {state.phase === 'ready' ? (
            `Play ${channelName}`
          ) : (
            <b>
              <span className="sr-only">Play {channelName}. </span>Your browser wants one tap before it plays sound.
            </b>
          )}
        </button>
      )}
      {isWaiting && !isOffline && !needsPress && (
        <PlayerWait
          channelId={channelId}
          channelName={channelName}
          program={program?.title}
          state={state}
          isSlow={isSlow}
          isBuffering={isBuffering && videoState.hasPicture}
          bitrate={bitrate}
          quality={quality}
          onLowerQuality={onLowerQuality}
        />
      )}
      {isOffline && (
        <div className="player-message player-clear" role="status">
          <Spinner />
          <h2>You are offline</h2>
          <p>Your device lost its network. Playback continues as soon as it is back.</p>
        </div>
      )}
      {stopped && !isOffline && isHydrated && (
        <Suspense>
          <PlayerMessage
            key={stopped.reason}
            reason={stopped.reason}
            takenBy={stopped.takenBy}
            at={stoppedAt}
            channelId={channelId}
            channelName={channelName}
            missingCodec={missingCodec}
            onLive={actions.goLive}
            watch={watch}
            programs={programs}
            mayRetry={isOnline && Date.now() - failingSince.current < retriesForMs}
            isTrying={isTrying}
            takesFocus={hadFocus.current}
            onRetry={() => (stopped.reason === 'taken' || stopped.takenBy ? onTakeBack(stopped.takenBy) : onPlay())}
            onAutomaticRetry={retry}
            onTake={onPlay}
            onReport={actions.report}
            onNextFavorite={actions.nextFavorite}
          />
        </Suspense>
      )}
      {state.phase === 'playing' && !isOffline && (
        <div className="player-controls">
          <PlayerControls
            channel={{ name: channelName, number, logo }}
            program={program}
            videoState={videoState}
            actions={actions}
            timeline={timeline}
            onSeek={onSeek}
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

/** Returns the caption size in percent or the caption background that the viewer chose; undefined for the system default. */
const useCaptionChoice = (what: 'size' | 'background'): string | undefined =>
  useLocalStorage(`watch-caption-${what}`)[0] || undefined

/** Starts playback as soon as nothing blocks the customer anymore, for example when the line is ready. */
function useStartOnceReady(blocked: Watch['blocked'], onPlay: () => void): void {
  const before = useRef(blocked)
  useEffect(() => {
    if (before.current && !blocked) onPlay()
    before.current = blocked
  }, [blocked, onPlay])
}
