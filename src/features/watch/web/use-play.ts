import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '#kit/caller.ts'
import { callOf, refresh } from '#web/data.ts'
import { getPlay, listPlays, type OpenedPlay, openPlay, seekPlay } from '../contract.ts'
import { type Reason, reasonNames } from '../rules.ts'
import type { EngineFailure, StreamChoices, StreamEngine } from './stream-engine.ts'

/** Why nothing plays: a reason from the server, or one found in this browser. */
export type Stop = Reason | 'network' | 'codec' | 'took_turns'
export type PlayState =
  /** Waits for the viewer to press play: sound never starts automatically. */
  | { phase: 'ready' }
  | { phase: 'opening' }
  | { phase: 'playing'; playId: string; recording: OpenedPlay['recording'] }
  | { phase: 'stopped'; stop: Stop; by: string | null }
/** What to play: a channel, with `from` a program of its archive. `take` ends another play. */
export type Wanted = { channelId: number; from?: string | undefined; take?: string | undefined }

/** The waits before the retries of opening while the panel still counts the last stream, in milliseconds. */
const waits = [1_000, 2_000, 4_000, 8_000]
/** A recording whose stream ended is opened again at its position, at most once in this time. */
const reopenEveryMs = 15_000
type Current = {
  turn: number
  playId: string
  engine: StreamEngine | undefined
  recording: OpenedPlay['recording']
  reopenedAt: number
}

/** Plays one channel at a time in a video element. A later `open` replaces an earlier one. The play is ended when the page is left. */
export function usePlay(video: RefObject<HTMLVideoElement | null>) {
  const client = useQueryClient()
  const [state, setState] = useState<PlayState>({ phase: 'ready' })
  const [bitrate, setBitrate] = useState(0)
  const [choices, setChoices] = useState<StreamChoices>()
  const [isRefused, setRefused] = useState(false)
  const current = useRef<Current>({ turn: 0, playId: '', engine: undefined, recording: null, reopenedAt: 0 })

  const stopCurrent = useCallback(() => {
    current.current.turn++
    current.current.engine?.stop()
    current.current.engine = undefined
    return current.current.turn
  }, [])

  const run = useCallback(
    async (call: () => Promise<OpenedPlay>, during: PlayState = { phase: 'opening' }): Promise<void> => {
      const turn = stopCurrent()
      const isCurrent = () => current.current.turn === turn
      setState(during)
      setRefused(false)
      // Loads while the server opens the play.
      const loaded = import('./stream-engine.ts')
      loaded.catch(() => undefined)
      for (const wait of [...waits, undefined]) {
        try {
          const opened = await call()
          const { id, address, recording } = opened
          Object.assign(current.current, { playId: id, recording })
          void refresh(client, [listPlays.id])
          if (!isCurrent() || !video.current) return
          const onFail = async (failure: EngineFailure) => {
            if (!isCurrent()) return
            const at = recording && positionOf(video.current, recording)
            stopCurrent()
            const why =
              failure === 'network' ? await callOf(client)(getPlay, { params: { playId: id } }).catch(() => null) : null
            const mayReopen = Date.now() - current.current.reopenedAt > reopenEveryMs
            if (failure === 'network' && why && !why.why && at && mayReopen) {
              current.current.reopenedAt = Date.now()
              return run(() => seekCall(id, at))
            }
            setState({ phase: 'stopped', stop: why?.why ?? failure, by: why?.takenBy ?? null })
          }
          const { playStream } = await loaded
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
          setState({ phase: 'playing', playId: id, recording })
          // Some browsers play with sound only after a press.
          void video.current.play().catch(({ name }: Error) => setRefused(name === 'NotAllowedError'))
          return
        } catch (error) {
          const stop = stopOf(error)
          const mayPass = stop === 'too_many' || (error instanceof ApiError && error.status === 429)
          if (!mayPass || wait === undefined) {
            void refresh(client, [listPlays.id])
            if (isCurrent()) setState({ phase: 'stopped', stop, by: null })
            return
          }
          await new Promise((resolve) => setTimeout(resolve, wait))
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
      // The controls stay, so that the focus does.
      const during: PlayState | undefined = recording
        ? { phase: 'playing', playId, recording: { ...recording, startsAt: from, at: from } }
        : undefined
      return run(() => callOf(client)(seekPlay, { params: { playId }, body: { from } }), during)
    },
    [client, run],
  )

  /** Shows that another device or the server ended the play, or that this browser cannot play it. */
  const end = useCallback(
    (stop: Stop, by: string | null) => {
      stopCurrent()
      setState({ phase: 'stopped', stop, by })
    },
    [stopCurrent],
  )

  useEffect(() => {
    const leave = () => {
      stopCurrent()
      const { playId } = current.current
      current.current.playId = ''
      // `keepalive` lets the request finish after the page is closed.
      if (playId)
        void fetch(`/api/plays/${playId}`, {
          method: 'DELETE',
          keepalive: true,
          headers: { 'content-type': 'application/json' },
          body: '{}',
        }).catch(() => undefined)
    }
    const onHide = () => {
      leave()
      setState({ phase: 'ready' })
    }
    addEventListener('pagehide', onHide)
    return () => {
      removeEventListener('pagehide', onHide)
      leave()
    }
  }, [stopCurrent])

  const setAudio = useCallback((id: number) => current.current.engine?.setAudio(id), [])
  const setLevel = useCallback((id: number) => current.current.engine?.setLevel(id), [])
  return { state, isRefused, open, seek, end, bitrate, choices, setAudio, setLevel }
}

/** The time of a recording that is shown. */
export function positionOf(video: HTMLVideoElement | null, recording: NonNullable<OpenedPlay['recording']>): string {
  return new Date(Date.parse(recording.startsAt) + (video?.currentTime ?? 0) * 1000).toISOString()
}

function stopOf(error: unknown): Stop {
  if (!(error instanceof ApiError)) return 'network'
  if (error.code === 'took_turns' || (reasonNames as string[]).includes(error.code)) return error.code as Stop
  return error.status === 404 ? 'not_licensed' : error.status === 401 ? 'session_over' : 'panel_down'
}
