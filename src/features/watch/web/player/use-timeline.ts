import { type RefObject, useEffect, useState } from 'react'
import { archiveDelayMs } from '#features/guide/archive-rules.ts'
import type { PlayState } from '../use-play.ts'
import { liveEdge } from '../use-video.ts'

/** Times in milliseconds: the start and end of the program, the broadcast time of the current picture, the present, and the buffered part. */
export type Timeline = {
  from: number
  to: number
  at: number
  live: number
  buffered: [number, number]
  isRecording: boolean
  /** Whether the viewer can seek to other parts of the program. */
  canSeek: boolean
}
type Program = { startsAt: string; endsAt: string } | undefined

/**
 * Returns the timeline of what is playing, updated every second; undefined if the program is unknown. `hasArchive`: whether the channel has an archive that the
 * customer may watch.
 */
export function useTimeline(
  video: RefObject<HTMLVideoElement | null>,
  state: PlayState,
  program: Program,
  hasArchive: boolean,
): Timeline | undefined {
  const [timeline, setTimeline] = useState<Timeline>()
  const recording = state.phase === 'playing' ? state.recording : null
  const isPlaying = state.phase === 'playing'
  const from = recording?.from ?? program?.startsAt
  const to = recording?.to ?? program?.endsAt
  const startsAt = recording?.startsAt
  useEffect(() => {
    if (!isPlaying || !from || !to) return setTimeline(undefined)
    const update = () => {
      const element = video.current
      if (!element) return
      const now = Date.now()
      // The broadcast time at position 0 of the video.
      const zero = startsAt ? Date.parse(startsAt) : now - (liveEdge(element) ?? element.currentTime) * 1000
      const at = zero + element.currentTime * 1000
      setTimeline({
        from: Date.parse(from),
        to: Date.parse(to),
        at,
        live: now,
        buffered: bufferedAround(element).map((seconds) => zero + seconds * 1000) as [number, number],
        isRecording: startsAt !== undefined,
        canSeek: startsAt !== undefined || hasArchive,
      })
    }
    update()
    const timer = setInterval(update, 1_000)
    const element = video.current
    element?.addEventListener('seeked', update)
    return () => {
      clearInterval(timer)
      element?.removeEventListener('seeked', update)
    }
  }, [video, isPlaying, from, to, startsAt, hasArchive])
  return timeline
}

/** Returns the buffered part around the current position, in seconds. */
function bufferedAround({ buffered, currentTime }: HTMLVideoElement): [number, number] {
  for (let n = 0; n < buffered.length; n++)
    if (buffered.start(n) <= currentTime + 0.5 && buffered.end(n) >= currentTime - 0.5)
      return [buffered.start(n), buffered.end(n)]
  return [currentTime, currentTime]
}

/** How to seek: by `by` seconds within the buffered part, to live, or by opening the archive at `from`; undefined if the time cannot be reached. */
export type SeekStep = { kind: 'local'; by: number } | { kind: 'live' } | { kind: 'archive'; from: number } | undefined
const marginMs = 500
/** Seeking to a time that is less than this many milliseconds ago goes live. */
const nearLiveMs = 12_000

/** Returns how to seek to the time `to`, in milliseconds. */
export function seekStepTo(
  { from, to: end, at, live, buffered, isRecording, canSeek }: Timeline,
  to: number,
): SeekStep {
  if (to >= buffered[0] && to <= buffered[1] - marginMs) return { kind: 'local', by: (to - at) / 1000 }
  if (to >= live - nearLiveMs) return { kind: 'live' }
  const newest = live - archiveDelayMs
  const target = Math.max(from, Math.min(to, end - 10_000))
  if (canSeek && target <= newest) return { kind: 'archive', from: target }
  // The time is too new for the archive and too old for the buffered part, so seek to whichever is closer.
  if (isRecording && to > at) return { kind: 'live' }
  return buffered[0] < at - 1_000 ? { kind: 'local', by: (buffered[0] - at) / 1000 } : undefined
}
