import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import { pathOf } from '#kit/caller.ts'
import { refresh } from '#web/data.ts'
import { listWatchProgress, storeWatchProgress } from '../contract.ts'
import { minPositionMs, progressRef, sendEveryMs } from '../rules.ts'

type Watched = {
  video: RefObject<HTMLVideoElement | null>
  channelId: number | undefined
  /**
   * The program that is playing from the archive. `startsAt`: when the first picture of its stream was broadcast. Null for a live stream, which has no
   * progress.
   */
  recording: { from: string; to: string; startsAt: string } | null
  /** Whether the video shows the recording; false while a seek opens another part of it. */
  isShown: boolean
}
const ignore = () => undefined

/** Stores how far a recording was watched: every 15 seconds during playback, when playback pauses or ends, and when the viewer leaves the recording. */
export function useReportProgress({ video, channelId, recording, isShown }: Watched): void {
  const client = useQueryClient()
  const { from, to } = recording ?? {}
  /** How far into the program the first picture of the stream is, in milliseconds; undefined while the video does not show the recording. */
  const offset = useRef<number>(undefined)
  offset.current = recording && isShown ? Date.parse(recording.startsAt) - Date.parse(recording.from) : undefined
  useEffect(() => {
    const element = video.current
    if (!element || channelId === undefined || !from || !to) return
    const path = pathOf(storeWatchProgress, { kind: 'catchup', ref: progressRef({ channelId, startsAt: from }) })
    const lengthMs = Date.parse(to) - Date.parse(from)
    let positionMs = 0
    let sentMs = 0
    const follow = () => {
      // While a stream is replaced, the video has no picture, and its current time is not a position in the program.
      if (offset.current === undefined || element.readyState < 2) return
      positionMs = Math.min(lengthMs, Math.max(0, Math.round(offset.current + element.currentTime * 1000)))
    }
    const send = async () => {
      if (positionMs < minPositionMs || positionMs === sentMs) return
      sentMs = positionMs
      // `keepalive` lets the request finish after the page is closed.
      await fetch(path, {
        method: 'PUT',
        keepalive: true,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ positionMs }),
      }).catch(ignore)
    }
    const sendNow = () => {
      follow()
      void send()
    }
    const timer = setInterval(() => !element.paused && sendNow(), sendEveryMs)
    for (const event of ['timeupdate', 'seeked']) element.addEventListener(event, follow)
    for (const event of ['pause', 'ended']) element.addEventListener(event, sendNow)
    addEventListener('pagehide', send)
    return () => {
      clearInterval(timer)
      for (const event of ['timeupdate', 'seeked']) element.removeEventListener(event, follow)
      for (const event of ['pause', 'ended']) element.removeEventListener(event, sendNow)
      removeEventListener('pagehide', send)
      // The video may already show another stream, so this sends the last known position.
      void send().then(() => refresh(client, [listWatchProgress.id]))
    }
  }, [video, channelId, from, to, client])
}
