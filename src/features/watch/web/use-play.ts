import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '#kit/caller.ts'
import { callOf, refresh } from '#web/data.ts'
import { getPlay, listPlays, type OpenedPlay, openPlay, seekPlay } from '../contract.ts'
import { type Reason, reasonNames } from '../rules.ts'
import type { EngineFailure, StreamChoices, StreamEngine } from './stream-engine.ts'

/** Why nothing plays: a reason from the server, or one that this browser found. */
export type StopReason = Reason | 'network' | 'codec' | 'took_turns' | 'other_tab' | ReleaseReason
/** Why the player gave its screen back: paused for long or in a hidden page without sound, without any input for hours, or by the sleep timer. */
export type ReleaseReason = 'idle' | 'unattended' | 'sleep'
export type PlayState =
  /** Until the viewer presses play: sound never starts automatically. */
  | { phase: 'ready' }
  /** `isClosingLast`: the panel still counts the last stream, so the play is opened again after a moment. */
  | { phase: 'opening'; isClosingLast?: true }
  /** `generation`: of the play, undefined while a seek increases it. */
  | { phase: 'playing'; playId: string; generation: number | undefined; recording: OpenedPlay['recording'] }
  | { phase: 'stopped'; reason: StopReason; takenBy: string | null }
/** What to play: a channel live, or with `from` the program of its archive that was on then. `take`: the id of another play to end first. */
export type Wanted = { channelId: number; from?: string | undefined; take?: string | undefined }

/** Delays before the retries while the panel still counts the last stream, in milliseconds. */
const retryDelaysMs = [1_000, 2_000, 4_000, 8_000]
/** A recording whose stream broke off is reopened at its position, but only once within this time. */
const minReopenMs = 15_000
type Current = {
  /** Increases with every call to `open`, `seek` or `end`, so that earlier calls have no further effect. */
  callNumber: number
  playId: string
  generation: number
  engine: StreamEngine | undefined
  recording: OpenedPlay['recording']
  reopenedAt: number
}

/** Plays one channel at a time in a video element. A later `open` replaces an earlier one. The play ends when the viewer leaves the page. */
export function usePlay(video: RefObject<HTMLVideoElement | null>) {
  const client = useQueryClient()
  const [state, setState] = useState<PlayState>({ phase: 'ready' })
  const [bitrate, setBitrate] = useState(0)
  const [choices, setChoices] = useState<StreamChoices>()
  const [isAutoplayBlocked, setAutoplayBlocked] = useState(false)
  const current = useRef<Current>({
    callNumber: 0,
    playId: '',
    generation: 0,
    engine: undefined,
    recording: null,
    reopenedAt: 0,
  })

  const stopCurrent = useCallback(() => {
    current.current.callNumber++
    current.current.engine?.stop()
    current.current.engine = undefined
    return current.current.callNumber
  }, [])

  const run = useCallback(
    async (call: () => Promise<OpenedPlay>, during: PlayState = { phase: 'opening' }): Promise<void> => {
      const callNumber = stopCurrent()
      const isCurrent = () => current.current.callNumber === callNumber
      setState(during)
      setAutoplayBlocked(false)
      // The player loads while the server opens the play.
      const engineModule = import('./stream-engine.ts')
      engineModule.catch(() => undefined)
      for (const delayMs of [...retryDelaysMs, undefined]) {
        try {
          const opened = await call()
          const { id, generation, address, recording } = opened
          // Responses may arrive in another order than their requests.
          if (id !== current.current.playId || generation > current.current.generation)
            Object.assign(current.current, { playId: id, generation, recording })
          void refresh(client, [listPlays.id])
          if (!isCurrent() || !video.current) return
          const onFail = async (failure: EngineFailure) => {
            if (!isCurrent()) return
            const at = recording && positionOf(video.current, recording)
            stopCurrent()
            const ended =
              failure === 'network' ? await callOf(client)(getPlay, { params: { playId: id } }).catch(() => null) : null
            if (isOlder(generation, ended)) return setState({ phase: 'stopped', reason: 'other_tab', takenBy: null })
            const mayReopen = Date.now() - current.current.reopenedAt > minReopenMs
            if (failure === 'network' && ended && !ended.why && at && mayReopen) {
              current.current.reopenedAt = Date.now()
              return run(() => seekCall(id, at))
            }
            const reason = ended?.why ?? (failure === 'frozen' ? 'channel_down' : failure)
            setState({ phase: 'stopped', reason, takenBy: ended?.takenBy ?? null })
          }
          const { playStream } = await engineModule
          if (!isCurrent() || !video.current) return
          const engine = await playStream(video.current, address, {
            startAt: recording
              ? Math.max(0, (Date.parse(recording.at) - Date.parse(recording.startsAt)) / 1000)
              : undefined,
            onFail: (failure) => void onFail(failure),
            onBitrate: setBitrate,
            onChoices: setChoices,
          })
          if (!isCurrent()) return engine.stop()
          current.current.engine = engine
          setState({ phase: 'playing', playId: id, generation, recording })
          // Some browsers play sound only after the viewer pressed something.
          void video.current.play().catch(({ name }: Error) => setAutoplayBlocked(name === 'NotAllowedError'))
          return
        } catch (error) {
          const reason = stopReasonOf(error)
          const isTemporary = reason === 'too_many' || (error instanceof ApiError && error.status === 429)
          if (!isTemporary || delayMs === undefined) {
            void refresh(client, [listPlays.id])
            if (isCurrent()) setState({ phase: 'stopped', reason, takenBy: null })
            return
          }
          if (reason === 'too_many' && isCurrent()) setState({ phase: 'opening', isClosingLast: true })
          await new Promise((resolve) => setTimeout(resolve, delayMs))
          if (!isCurrent()) return
        }
      }
      function seekCall(playId: string, from: string) {
        return callOf(client)(seekPlay, { params: { playId }, body: { from } })
      }
    },
    [client, video, stopCurrent],
  )

  const open = useCallback(
    ({ channelId, from, take }: Wanted) =>
      run(() => callOf(client)(openPlay, { body: { channelId, ...(from && { from }), ...(take && { take }) } })),
    [client, run],
  )
  /** Continues the running play at another time of the archive. */
  const seek = useCallback(
    (from: string) => {
      const { playId, recording } = current.current
      // The controls stay in the page, so that they keep the focus.
      const during: PlayState | undefined = recording
        ? { phase: 'playing', playId, generation: undefined, recording: { ...recording, startsAt: from, at: from } }
        : undefined
      return run(() => callOf(client)(seekPlay, { params: { playId }, body: { from } }), during)
    },
    [client, run],
  )

  /** Stops, and shows that another device or the server ended the play, or that this browser cannot play it. */
  const end = useCallback(
    (reason: StopReason, takenBy: string | null) => {
      stopCurrent()
      setState({ phase: 'stopped', reason, takenBy })
    },
    [stopCurrent],
  )

  const leave = useCallback(() => {
    stopCurrent()
    const { playId, generation } = current.current
    current.current.playId = ''
    // `keepalive` lets the request finish after the page is closed. With the generation it does not stop what another tab plays since.
    if (playId)
      void fetch(`/api/plays/${playId}?generation=${generation}`, {
        method: 'DELETE',
        keepalive: true,
        headers: { 'content-type': 'application/json' },
        body: '{}',
      }).catch(() => undefined)
  }, [stopCurrent])
  /** Stops, and gives the screen back. */
  const releaseScreen = useCallback(
    (reason: ReleaseReason) => {
      leave()
      setState({ phase: 'stopped', reason, takenBy: null })
    },
    [leave],
  )
  useEffect(() => {
    const onHide = () => {
      leave()
      setState({ phase: 'ready' })
    }
    addEventListener('pagehide', onHide)
    return () => {
      removeEventListener('pagehide', onHide)
      leave()
    }
  }, [leave])

  const setAudio = useCallback((id: number) => current.current.engine?.setAudio(id), [])
  const setLevel = useCallback((id: number) => current.current.engine?.setLevel(id), [])
  return { state, isAutoplayBlocked, open, seek, end, releaseScreen, bitrate, choices, setAudio, setLevel }
}

/** Whether another tab of this browser continued the play: `generation` is not its latest one. */
export const isOlder = (generation: number | undefined, play: { generation: number } | null | undefined): boolean =>
  generation !== undefined && play != null && play.generation > generation

/** When the current picture of a recording was broadcast. */
export function positionOf(video: HTMLVideoElement | null, recording: NonNullable<OpenedPlay['recording']>): string {
  return new Date(Date.parse(recording.startsAt) + (video?.currentTime ?? 0) * 1000).toISOString()
}

function stopReasonOf(error: unknown): StopReason {
  if (!(error instanceof ApiError)) return 'network'
  if (error.code === 'took_turns' || (reasonNames as string[]).includes(error.code)) return error.code as StopReason
  return error.status === 404 ? 'not_licensed' : error.status === 401 ? 'session_over' : 'panel_down'
}
