import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '#kit/caller.ts'
import { callOf, refresh } from '#web/data.ts'
import { getPlay, listPlays, openPlay } from '../contract.ts'
import { type Reason, reasonNames } from '../rules.ts'
import { playStream } from './stream-engine.ts'

/** Why nothing plays: a reason from the server, or one found in this browser. */
export type Stop = Reason | 'network' | 'codec' | 'took_turns'
export type PlayState =
  /** Waits for the viewer to press play: sound never starts automatically. */
  | { phase: 'ready' }
  | { phase: 'opening' }
  | { phase: 'playing'; playId: string }
  | { phase: 'stopped'; stop: Stop; by: string | null }

/** The waits before the retries of opening while the panel still counts the last stream, in milliseconds. */
const waits = [1_000, 2_000, 4_000, 8_000]

/** Plays one channel at a time in a video element. A later `open` replaces an earlier one. The play is ended when the page is left. */
export function usePlay(video: RefObject<HTMLVideoElement | null>) {
  const client = useQueryClient()
  const [state, setState] = useState<PlayState>({ phase: 'ready' })
  const [bitrate, setBitrate] = useState(0)
  const current = useRef({ turn: 0, playId: '', stop: () => {} })

  const stopCurrent = useCallback(() => {
    current.current.turn++
    current.current.stop()
    current.current.stop = () => {}
    return current.current.turn
  }, [])

  const open = useCallback(
    async (channelId: number, take?: string): Promise<void> => {
      const turn = stopCurrent()
      const isCurrent = () => current.current.turn === turn
      const stopped = (stop: Stop, by: string | null = null) => isCurrent() && setState({ phase: 'stopped', stop, by })
      setState({ phase: 'opening' })
      for (const wait of [...waits, undefined]) {
        try {
          const { id, address } = await callOf(client)(openPlay, { body: { channelId, ...(take && { take }) } })
          current.current.playId = id
          void refresh(client, [listPlays.id])
          if (!isCurrent() || !video.current) return
          const onFail = async (failure: 'network' | 'codec') => {
            if (!isCurrent()) return
            stopCurrent()
            const why =
              failure === 'network' ? await callOf(client)(getPlay, { params: { playId: id } }).catch(() => null) : null
            setState({ phase: 'stopped', stop: why?.why ?? failure, by: why?.takenBy ?? null })
          }
          const stop = await playStream(video.current, address, {
            onFail: (failure) => void onFail(failure),
            onBitrate: setBitrate,
          })
          if (!isCurrent()) return stop()
          current.current.stop = stop
          setState({ phase: 'playing', playId: id })
          void video.current.play().catch(() => undefined)
          return
        } catch (error) {
          const stop = stopOf(error)
          if (stop !== 'too_many' || wait === undefined) {
            void refresh(client, [listPlays.id])
            return void stopped(stop)
          }
          await new Promise((resolve) => setTimeout(resolve, wait))
          if (!isCurrent()) return
        }
      }
    },
    [client, video, stopCurrent],
  )

  /** Shows that another device or the server ended the play. */
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

  return { state, open, end, bitrate }
}

function stopOf(error: unknown): Stop {
  if (!(error instanceof ApiError)) return 'network'
  if (error.code === 'took_turns' || (reasonNames as string[]).includes(error.code)) return error.code as Stop
  return error.status === 404 ? 'not_licensed' : error.status === 401 ? 'session_over' : 'panel_down'
}
