import type { RefObject } from 'react'
import { toast } from '#web/ui/toast/toast.ts'
import type { PlayRequest } from '../play-calls.ts'
import type { PlayState } from '../use-play.ts'
import { liveEdge } from '../use-video.ts'
import { useBackAtLive } from './use-back-at-live.ts'
import { seekStepTo, type Timeline } from './use-timeline.ts'

type Options = {
  video: RefObject<HTMLVideoElement | null>
  state: PlayState
  timeline: Timeline | undefined
  hasArchive: boolean
  channelId: number | undefined
  open: (wanted: PlayRequest) => Promise<void>
  seek: (from: string) => Promise<void>
}
const ignore = () => undefined

/** Returns functions that seek in the program that is playing: within the buffered part, into the archive, and back to live. */
export function useProgramSeek({ video, state, timeline, hasArchive, channelId, open, seek }: Options) {
  const recording = state.phase === 'playing' ? state.recording : null
  const goLive = () => {
    if (recording && channelId !== undefined) return void open({ channelId })
    const element = video.current
    const edge = element && liveEdge(element)
    if (!element) return
    pausedAt.current = undefined
    if (edge !== undefined && edge !== null) element.currentTime = Math.max(0, edge - 4)
    void element.play().catch(ignore)
  }
  const pausedAt = useBackAtLive(video, state.phase === 'playing' && !recording && !hasArchive, goLive)
  const moveTo = (element: HTMLVideoElement, seconds: number) => {
    element.currentTime = seconds
    if (pausedAt.current !== undefined) pausedAt.current = seconds
  }
  const onSeek = (to: number) => {
    const step = timeline && seekStepTo(timeline, to)
    if (!step || !video.current) return
    if (step.kind === 'local') moveTo(video.current, video.current.currentTime + step.by)
    else if (step.kind === 'live') {
      if (recording) toast({ title: 'You are back at live' })
      goLive()
    } else if (recording) void seek(new Date(step.from).toISOString())
    else if (channelId !== undefined) void open({ channelId, from: new Date(step.from).toISOString() })
  }
  const seekBy = (seconds: number) => {
    if (timeline) onSeek(timeline.at + seconds * 1000)
    else if (video.current) {
      const edge = liveEdge(video.current)
      moveTo(video.current, Math.max(0, Math.min(video.current.currentTime + seconds, (edge ?? 0) - 4)))
    }
  }
  return { goLive, onSeek, seekBy }
}
