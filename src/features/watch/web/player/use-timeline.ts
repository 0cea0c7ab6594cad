import { type RefObject, useEffect, useState } from 'react'
import { archiveDelayMs } from '#features/guide/archive-rules.ts'
import type { PlayState } from '../use-play.ts'
import { liveEdge } from '../use-video.ts'

/** The program as a line, in milliseconds: its ends, what is shown, the present, and the part that is loaded. */
export type Timeline = {
  from: number
  to: number
  at: number
  live: number
  loaded: [number, number]
  isRecording: boolean
  /** Whether other parts of the program can be shown. */
  canSeek: boolean
}
type Program = { startsAt: string; endsAt: string } | undefined

/** The timeline of what plays, every second; undefined without a program. `hasArchive`: the channel has an archive that may be used. */
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
      // The time on the line at the position 0 of the video.
      const zero = startsAt ? Date.parse(startsAt) : now - (liveEdge(element) ?? element.currentTime) * 1000
      const at = zero + element.currentTime * 1000
      setTimeline({
        from: Date.parse(from),
        to: Date.parse(to),
        at,
        live: now,
        loaded: loadedAround(element).map((seconds) => zero + seconds * 1000) as [number, number],
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

function loadedAround({ buffered, currentTime }: HTMLVideoElement): [number, number] {
  for (let n = 0; n < buffered.length; n++)
    if (buffered.start(n) <= currentTime + 0.5 && buffered.end(n) >= currentTime - 0.5)
      return [buffered.start(n), buffered.end(n)]
  return [currentTime, currentTime]
}

/** How a time is reached: within what is loaded, at the present, or by opening the archive at `from`; undefined if it cannot be reached. */
export type Move = { kind: 'local'; by: number } | { kind: 'live' } | { kind: 'archive'; from: number } | undefined
const marginMs = 500
/** A move to less than this before the present goes to the present. */
const nearLiveMs = 12_000

/** How to show the time `to`. `hasArchive`: the archive of the channel may be used. */
export function moveTo({ from, to: end, at, live, loaded, isRecording, canSeek }: Timeline, to: number): Move {
  if (to >= loaded[0] && to <= loaded[1] - marginMs) return { kind: 'local', by: (to - at) / 1000 }
  if (to >= live - nearLiveMs) return { kind: 'live' }
  const newest = live - archiveDelayMs
  const target = Math.max(from, Math.min(to, end - 10_000))
  if (canSeek && target <= newest) return { kind: 'archive', from: target }
  // Newer than the archive and older than what is loaded: the nearer of the two.
  if (isRecording && to > at) return { kind: 'live' }
  return loaded[0] < at - 1_000 ? { kind: 'local', by: (loaded[0] - at) / 1000 } : undefined
}
