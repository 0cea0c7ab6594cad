import { type RefObject, useEffect } from 'react'
import type { BrowserFacts } from '../contract.ts'

/** How many frames the video had in total at the time `at`, and how many of them were dropped. */
type FrameCount = { at: number; channelId: number; total: number; dropped: number }
const keptMs = 60_000
const countMs = 10_000
/** With fewer frames than this, a few dropped frames mean nothing. */
const minFrames = 250
let counts: FrameCount[] = []

/** The frames of a channel in the last minute; null if it did not play for long enough. The counts are kept in memory only. */
export const recentFrames = (channelId: number | undefined): BrowserFacts['frames'] =>
  framesBetween(counts.filter((each) => each.channelId === channelId && Date.now() - each.at < keptMs))

/** The frames between the first and the last count; null if there are too few. `counts` is sorted, oldest first. */
export function framesBetween(counts: readonly FrameCount[]): BrowserFacts['frames'] {
  const [first, last] = [counts.at(0), counts.at(-1)]
  if (!first || !last || last.total - first.total < minFrames) return null
  const dropped = last.dropped - first.dropped
  return { shown: last.total - first.total - dropped, dropped }
}

/** Counts the frames of a channel while it plays. A later check uses the counts. */
export function useCountFrames(channelId: number, { current: video }: RefObject<HTMLVideoElement | null>): void {
  useEffect(() => {
    if (!video) return
    counts = []
    const count = () => {
      // Hidden pages show no frames.
      if (document.hidden) counts = []
      else {
        const { totalVideoFrames: total, droppedVideoFrames: dropped } = video.getVideoPlaybackQuality()
        counts = [...counts.slice(-keptMs / countMs), { at: Date.now(), channelId, total, dropped }]
      }
    }
    count()
    const timer = setInterval(count, countMs)
    return () => {
      clearInterval(timer)
      count()
    }
  }, [channelId, video])
}
