import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '#kit/caller.ts'
import { refresh } from '#web/data.ts'
import { listPlays, type OpenedPlay } from '../contract.ts'
import { type Reason, reasonNames } from '../rules.ts'
import { maxTries, nextTry } from './engine/reconnect-rules.ts'
import type { StreamChoices, StreamEngine } from './engine/stream-types.ts'
import { endPlay, isOfOtherTab, openCall, type PlayRequest, readPlay, seekCall } from './play-calls.ts'

/** Why nothing plays: a reason from the server, or one that this browser found. */
export type StopReason = Reason | 'network' | 'codec' | 'took_turns' | 'other_tab' | ReleaseReason
/** Why the player gave its screen back. `idle`: a long pause, or a page hidden without sound. `unattended`: no input for long. `sleep`: the sleep timer. */
export type ReleaseReason = 'idle' | 'unattended' | 'sleep'
export type PlayState =
  /** Nothing was opened yet. The viewer must press play, because sound never starts automatically. */
  | { phase: 'ready' }
  /**
   * `isClosingLast`: the panel still counts the last stream, so the play is opened again after a short delay. `tryNumber`: a lost stream is opened again, for
   * the first to the fourth time, while the video keeps its last picture.
   */
  | { phase: 'opening'; isClosingLast?: true; tryNumber?: number }
  /** `generation`: the generation of the play; undefined during a seek, which increases it. */
  | { phase: 'playing'; playId: string; generation: number | undefined; recording: OpenedPlay['recording'] }
  /** `at`: the broadcast time at which a recording stopped. */
  | { phase: 'stopped'; reason: StopReason; takenBy: string | null; at?: string | undefined }

/** Delays before the retries while the panel still counts the last stream, in milliseconds. */
const retryDelaysMs = [1_000, 2_000, 4_000, 8_000]
type Current = {
  /** Increases with every call to `open`, `seek` or `end` and with every failure, so that earlier calls have no further effect. */
  callNumber: number
  channelId: number
  playId: string
  generation: number
  engine: StreamEngine | undefined
  recording: OpenedPlay['recording']
  /** The recording that the video shows. It differs from `recording` while a stream is opened. */
  shown: OpenedPlay['recording']
  /** When the stream began to play, and how many times it was opened again since playback was last steady. */
  startedAt: number
  tries: number
}
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Plays one channel at a time in a video element. A later call of `open` replaces an earlier one. The play ends when the viewer leaves the page. */
export function usePlay(video: RefObject<HTMLVideoElement | null>) {
  const client = useQueryClient()
  const [state, setState] = useState<PlayState>({ phase: 'ready' })
  const [bitrate, setBitrate] = useState(0)
  const [choices, setChoices] = useState<StreamChoices>()
  const [isAutoplayBlocked, setAutoplayBlocked] = useState(false)
  const current = useRef<Current>({
    ...{ callNumber: 0, channelId: 0, playId: '', generation: 0, engine: undefined, recording: null },
    ...{ shown: null, startedAt: 0, tries: 0 },
  })

  const stopCurrent = useCallback(() => {
    current.current.callNumber++
    current.current.engine?.stop()
    Object.assign(current.current, { engine: undefined, shown: null })
  }, [])

  /** Stops playback and shows why: another device or the server ended the play, or this browser cannot play the channel. */
  const end = useCallback(
    (reason: StopReason, takenBy: string | null = null) => {
      const at = reachedAt(video.current, current.current)
      stopCurrent()
      setState({ phase: 'stopped', reason, takenBy, at })
    },
    [video, stopCurrent],
  )

  const run = useCallback(
    async (call: () => Promise<OpenedPlay>, during: PlayState = { phase: 'opening' }): Promise<void> => {
      const tryNumber = during.phase === 'opening' ? during.tryNumber : undefined
      if (tryNumber === undefined) stopCurrent()
      const isCurrent = sinceNow(current.current)
      setState(during)
      setAutoplayBlocked(false)
      // The engine is loaded while the server opens the play.
      const engineModule = import('./stream-engine.ts')
      engineModule.catch(() => undefined)
      for (const delayMs of [...retryDelaysMs, undefined]) {
        try {
          const opened = await call()
          const { id, generation, recording } = opened
          // Responses may arrive in another order than their requests.
          if (id !== current.current.playId || generation > current.current.generation)
            Object.assign(current.current, { playId: id, generation, recording })
          void refresh(client, [listPlays.id])
          if (!isCurrent() || !video.current) return
          const { playStream } = await engineModule
          if (!isCurrent() || !video.current) return
          // A new source pauses the video.
          const wasPaused = tryNumber !== undefined && video.current.paused
          const engine = await playStream(video.current, opened, {
            startAt: recording
              ? Math.max(0, (Date.parse(recording.at) - Date.parse(recording.startsAt)) / 1000)
              : undefined,
            replaces: current.current.engine,
            isWanted: isCurrent,
            onFail: (failure) => {
              if (!isCurrent()) return
              if (failure === 'network') void reconnect()
              else end(failure === 'frozen' ? 'channel_down' : failure)
            },
            onBitrate: setBitrate,
            onChoices: setChoices,
          })
          if (!isCurrent()) return engine.stop()
          Object.assign(current.current, { engine, shown: recording, startedAt: Date.now() })
          setState({ phase: 'playing', playId: id, generation, recording })
          // Some browsers play sound only after the viewer pressed something.
          if (!wasPaused)
            void video.current.play().catch(({ name }: Error) => setAutoplayBlocked(name === 'NotAllowedError'))
          return
        } catch (error) {
          const reason = stopReasonOf(error)
          const isTemporary = reason === 'too_many' || (error instanceof ApiError && error.status === 429)
          if (!isTemporary || delayMs === undefined) {
            void refresh(client, [listPlays.id])
            if (!isCurrent()) return
            const isLost = tryNumber !== undefined && (reason === 'network' || reason === 'panel_down')
            return isLost ? reconnect(reason) : end(reason)
          }
          if (reason === 'too_many' && isCurrent()) setState({ phase: 'opening', isClosingLast: true })
          await sleep(delayMs)
          if (!isCurrent()) return
        }
      }

      /** Opens a lost stream again, and a recording at the position at which it was lost. */
      async function reconnect(reason: StopReason = 'network'): Promise<void> {
        current.current.callNumber++
        const isLatest = sinceNow(current.current)
        const { playId, channelId, tries, startedAt } = current.current
        const next = nextTry(tries, Date.now() - startedAt)
        if (next > maxTries) return end(reason)
        Object.assign(current.current, { tries: next, startedAt: Number.POSITIVE_INFINITY })
        setState({ phase: 'opening', tryNumber: next })
        await (await engineModule).waitToReconnect(next)
        if (!isLatest()) return
        // If the server ended the play, it returns the reason.
        const play = await readPlay(client, playId)
        if (!isLatest()) return
        if (play && isOfOtherTab(play)) return end('other_tab')
        if (play?.why) return end(play.why, play.takenBy)
        const from = reachedAt(video.current, current.current)
        return run(openCall(client, { channelId, from }), { phase: 'opening', tryNumber: next })
      }
    },
    [client, video, stopCurrent, end],
  )

  const open = useCallback(
    (wanted: PlayRequest) => {
      Object.assign(current.current, { channelId: wanted.channelId, startedAt: 0, tries: 0 })
      return run(openCall(client, wanted))
    },
    [client, run],
  )
  /** Continues the running play at another time of the archive. */
  const seek = useCallback(
    (from: string) => {
      const { playId, recording } = current.current
      // The state stays `playing`, so that the controls stay in the page and keep the focus.
      const during: PlayState | undefined = recording
        ? { phase: 'playing', playId, generation: undefined, recording: { ...recording, startsAt: from, at: from } }
        : undefined
      return run(seekCall(client, playId, from), during)
    },
    [client, run],
  )

  const leave = useCallback(() => {
    stopCurrent()
    const { playId, generation } = current.current
    current.current.playId = ''
    // Because of the generation, this does not stop a play that another tab has taken over since then.
    if (playId) endPlay(`/api/plays/${playId}?generation=${generation}`)
  }, [stopCurrent])
  /** Stops playback and gives the screen back. */
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

/** Returns when the current picture of a recording was broadcast. */
export function positionOf(video: HTMLVideoElement | null, recording: NonNullable<OpenedPlay['recording']>): string {
  return new Date(Date.parse(recording.startsAt) + (video?.currentTime ?? 0) * 1000).toISOString()
}

/** Returns when the current picture was broadcast; undefined unless the video shows a recording. */
const reachedAt = (video: HTMLVideoElement | null, { shown }: Current): string | undefined =>
  shown ? positionOf(video, shown) : undefined

/** Returns a function that returns whether no later call was made since now. */
function sinceNow(current: Current): () => boolean {
  const { callNumber } = current
  return () => current.callNumber === callNumber
}

function stopReasonOf(error: unknown): StopReason {
  if (!(error instanceof ApiError)) return 'network'
  if (error.code === 'took_turns' || (reasonNames as string[]).includes(error.code)) return error.code as StopReason
  return error.status === 404 ? 'not_licensed' : error.status === 401 ? 'session_over' : 'panel_down'
}
