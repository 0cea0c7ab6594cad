import { type RefObject, useEffect, useState } from 'react'
import { useLocalStorage } from '#web/ui/use-local-storage.ts'

/** What the video element does. `isBehind`: it is more than 12 seconds behind the newest picture. */
export type VideoState = {
  hasPicture: boolean
  isPaused: boolean
  isWaiting: boolean
  isMuted: boolean
  volume: number
  isBehind: boolean
}
const initial: VideoState = {
  hasPicture: false,
  isPaused: true,
  isWaiting: false,
  isMuted: false,
  volume: 1,
  isBehind: false,
}
const events = ['play', 'pause', 'playing', 'waiting', 'loadeddata', 'emptied', 'volumechange', 'timeupdate', 'seeked']
const behindSeconds = 12

/** The newest position of a live stream in seconds; undefined before it is known. */
export const liveEdge = ({ seekable }: HTMLVideoElement): number | undefined =>
  seekable.length > 0 ? seekable.end(seekable.length - 1) : undefined

/** The state of a video element. Its volume, and whether it is muted, are kept on this device. */
export function useVideo(video: RefObject<HTMLVideoElement | null>): VideoState {
  const [state, setState] = useState(initial)
  const [kept, keep] = useLocalStorage('watch-volume')
  const [keptMuted, keepMuted] = useLocalStorage('watch-muted')
  useEffect(() => {
    const element = video.current
    if (!element) return
    const update = ({ type }: Pick<Event, 'type'>) =>
      setState((before) => {
        const edge = liveEdge(element)
        const next: VideoState = {
          hasPicture: element.readyState >= 2,
          isPaused: element.paused,
          isWaiting:
            type === 'waiting' ||
            (before.isWaiting && type !== 'playing' && type !== 'emptied' && type !== 'timeupdate'),
          isMuted: element.muted,
          volume: element.volume,
          isBehind: edge !== undefined && edge - element.currentTime > behindSeconds,
        }
        return Object.entries(next).every(([name, value]) => before[name as keyof VideoState] === value) ? before : next
      })
    for (const event of events) element.addEventListener(event, update)
    return () => {
      for (const event of events) element.removeEventListener(event, update)
    }
  }, [video])
  useEffect(() => {
    const volume = Number(kept)
    if (video.current && kept !== '' && volume >= 0 && volume <= 1) video.current.volume = volume
  }, [video, kept])
  useEffect(() => {
    if (video.current && keptMuted !== '') video.current.muted = true
  }, [video, keptMuted])
  useEffect(() => {
    if (!state.hasPicture) return
    keep(String(state.volume))
    keepMuted(state.isMuted ? 'muted' : '')
  }, [state.hasPicture, state.volume, state.isMuted, keep, keepMuted])
  return state
}
