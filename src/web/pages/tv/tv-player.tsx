import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { TvLoading } from '#features/devices/web/tv-loading.tsx'
import { getPlay, type Watch, type WatchChannel } from '#features/watch/contract.ts'
import { useReleaseScreen } from '#features/watch/web/player/use-release-screen.ts'
import { PlayerScreens } from '#features/watch/web/player-screens.tsx'
import { stopText } from '#features/watch/web/stop-texts.ts'
import { usePlay } from '#features/watch/web/use-play.ts'
import { query } from '../../data.ts'
import { Button } from '../../ui/button/button.tsx'
import { moveFocus } from './move-focus.ts'

const TvRecording = lazy(() => import('./tv-recording.tsx').then((module) => ({ default: module.TvRecording })))

interface Props {
  watch: Watch
  channel: WatchChannel
  /** The start of a recorded program, which resumes where it was left; undefined for the live stream. */
  from: string | undefined
  program: string | undefined
  onStep: (by: 1 | -1) => void
  onClose: () => void
  /** Playback stopped, perhaps because the TV was removed. */
  onStopped: () => void
}
const steps: Record<string, 1 | -1> = {
  ArrowUp: 1,
  PageUp: 1,
  ChannelUp: 1,
  ArrowDown: -1,
  PageDown: -1,
  ChannelDown: -1,
}
const isBack = (key: string) => key === 'Escape' || key === 'Backspace' || key === 'GoBack' || key === 'BrowserBack'
/** After several quick channel changes, only the last channel is opened. */
const zapDelayMs = 300
const bannerMs = 5_000
const checkMs = 5_000

/** Plays a channel or a recording in full screen. Up and down change the channel, OK pauses, Back returns to the list. */
export function TvPlayer({ watch, channel, from, program, onStep, onClose, onStopped }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  const container = useRef<HTMLElement>(null)
  const { state, open, seek, end, releaseScreen } = usePlay(video)
  const [isPaused, setPaused] = useState(false)
  const [banner, setBanner] = useState(true)
  const playId = state.phase === 'playing' ? state.playId : ''
  const stop = state.phase === 'stopped' ? state : undefined
  const recording = state.phase === 'playing' ? state.recording : null
  const wanted = { channelId: channel.id, from: stop?.at ?? from, resume: !stop?.at }
  // A TV always has sound and shows only this page, so only `isPaused` varies.
  const shown = { hasPicture: true, isPaused, isMuted: false, volume: 1 }
  useReleaseScreen(state.phase === 'playing', shown, watch.unattendedHours, releaseScreen)

  useEffect(() => {
    const timer = setTimeout(() => void open({ channelId: channel.id, from, resume: true }), zapDelayMs)
    return () => clearTimeout(timer)
  }, [channel.id, from, open])
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown again for every channel
  useEffect(() => {
    setBanner(true)
    const timer = setTimeout(() => setBanner(false), bannerMs)
    return () => clearTimeout(timer)
  }, [channel.id])
  // A TV has no WebSocket, so it polls whether another device took its screen.
  const { data: play, isError } = useQuery({
    ...query(getPlay, { params: { playId } }),
    enabled: playId !== '',
    refetchInterval: checkMs,
  })
  useEffect(() => {
    if (playId && play?.endedAt) end(play.why ?? 'closed', play.takenBy)
  }, [play, playId, end])
  useEffect(() => {
    if (stop || isError) onStopped()
  }, [stop, isError, onStopped])
  useEffect(() => {
    const button = container.current?.querySelector<HTMLElement>('.tv-stop button')
    ;(stop ? button : container.current)?.focus()
  }, [stop])

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = steps[event.key]
    if (isBack(event.key)) {
      event.preventDefault()
      onClose()
    } else if (stop) moveFocus(event)
    else if (step) {
      event.preventDefault()
      onStep(step)
    } else if (event.key === 'Enter' || event.key === ' ' || event.key === 'MediaPlayPause') {
      event.preventDefault()
      setBanner(true)
      if (video.current?.paused) void video.current.play().catch(() => undefined)
      else video.current?.pause()
    }
  }
  const text =
    stop &&
    stopText(stop.reason, {
      channel: channel.name,
      takenBy: stop.takenBy,
      missingCodec: undefined,
      ...watch,
    })
  return (
    <section
      className="tv-player"
      aria-label={`Player, ${channel.name}`}
      ref={container}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: captions are part of the stream */}
      <video ref={video} playsInline onPlay={() => setPaused(false)} onPause={() => setPaused(true)} />
      {state.phase === 'opening' && <TvLoading label={`Opening ${channel.name}`} />}
      {(banner || stop) && (
        <p className="tv-banner" role="status">
          <b className="num">{channel.number}</b> {channel.name}
          {(recording?.title ?? program) && <span>{recording?.title ?? program}</span>}
        </p>
      )}
      {recording && (
        <Suspense>
          <TvRecording
            video={video}
            channelId={channel.id}
            recording={recording}
            isShown={state.phase === 'playing' && state.generation !== undefined}
            onFromStart={() => void seek(recording.from)}
            onEnd={onClose}
          />
        </Suspense>
      )}
      {text && (
        <div className="tv-message tv-stop" role="alert">
          <h2>{text.title}</h2>
          <p>{text.text}</p>
          {stop?.reason === 'slots_full' && <PlayerScreens onTake={(take) => void open({ ...wanted, take })} />}
          <div className="tv-buttons">
            {stop?.reason !== 'slots_full' && (
              <Button size="lg" onClick={() => void open(wanted)}>
                {text.actions.includes('continue') ? 'Continue' : 'Try Again'}
              </Button>
            )}
            <Button size="lg" variant="line" onClick={onClose}>
              All Channels
            </Button>
          </div>
        </div>
      )}
    </section>
  )
}
