import type { RefObject } from 'react'
import { toast } from '#web/ui/toast/toast.ts'
import type { PlayState, Wanted } from '../use-play.ts'
import { liveEdge } from '../use-video.ts'
import { moveTo, type Timeline } from './use-timeline.ts'

type Options = {
  video: RefObject<HTMLVideoElement | null>
  state: PlayState
  timeline: Timeline | undefined
  channelId: number | undefined
  open: (wanted: Wanted) => Promise<void>
  seek: (from: string) => Promise<void>
}
const ignore = () => undefined

/** Moves within the program that plays: in what is loaded, into the archive, and back to live. */
export function useProgramMoves({ video, state, timeline, channelId, open, seek }: Options) {
  const recording = state.phase === 'playing' ? state.recording : null
  const goLive = () => {
    if (recording && channelId !== undefined) return void open({ channelId })
    const element = video.current
    const edge = element && liveEdge(element)
    if (!element) return
    if (edge !== undefined && edge !== null) element.currentTime = Math.max(0, edge - 4)
    void element.play().catch(ignore)
  }
  const onMove = (to: number) => {
    const move = timeline && moveTo(timeline, to)
    if (!move || !video.current) return
    if (move.kind === 'local') video.current.currentTime += move.by
    else if (move.kind === 'live') {
      if (recording) toast({ title: 'You are watching live again' })
      goLive()
    } else if (recording) void seek(new Date(move.from).toISOString())
    else if (channelId !== undefined) void open({ channelId, from: new Date(move.from).toISOString() })
  }
  const moveBy = (seconds: number) => {
    if (timeline) onMove(timeline.at + seconds * 1000)
    else if (video.current) {
      const edge = liveEdge(video.current)
      video.current.currentTime = Math.max(0, Math.min(video.current.currentTime + seconds, (edge ?? 0) - 4))
    }
  }
  return { goLive, onMove, moveBy }
}
