import { type RefObject, useEffect, useState } from 'react'
import { useLocalStorage } from '#web/ui/use-local-storage.ts'

/**
 * The state of the video element. `hasPicture`: it shows or has shown a picture of its stream. `isWaiting`: playback waits for data. `isBehind`: it is
 * more than 12 seconds behind the live edge.
 */
export type VideoState = {
  hasPicture: boolean
  isPaused: boolean
  isWaiting: boolean
  isMuted: boolean
  volume: number
  isBehind: boolean
}
const initialState: VideoState = {
  hasPicture: false,
  isPaused: true,
  isWaiting: false,
  isMuted: false,
  volume: 1,
  isBehind: false,
}
const events = ['play', 'pause', 'playing', 'waiting', 'loadeddata', 'emptied', 'volumechange', 'timeupdate', 'seeked']
const behindSeconds = 12

/** Returns the newest position of a live stream, in seconds; undefined until it is known. */
export const liveEdge = ({ seekable }: HTMLVideoElement): number | undefined =>
  seekable.length > 0 ? seekable.end(seekable.length - 1) : undefined

/** Returns the current state of a video element. Volume and mute are stored on this device. */
export function useVideo(video: RefObject<HTMLVideoElement | null>): VideoState {
  const [state, setState] = useState(initialState)
  const [storedVolume, storeVolume] = useLocalStorage('watch-volume')
  const [storedMuted, storeMuted] = useLocalStorage('watch-muted')
  useEffect(() => {
    const element = video.current
    if (!element) return
    const update = ({ type }: Pick<Event, 'type'>) =>
      setState((before) => {
        const edge = liveEdge(element)
        const isEmptied = type === 'emptied'
        // hls.js moves the position of a live stream that is waiting for data, which also changes the time.
        const hasMoved = type === 'playing' || (type === 'timeupdate' && element.readyState > 2)
        const next: VideoState = {
          hasPicture: element.readyState >= 2 || (before.hasPicture && !isEmptied),
          isPaused: element.paused,
          isWaiting: type === 'waiting' || (before.isWaiting && !hasMoved && !isEmptied),
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
    const volume = Number(storedVolume)
    if (video.current && storedVolume !== '' && volume >= 0 && volume <= 1) video.current.volume = volume
  }, [video, storedVolume])
  useEffect(() => {
    if (video.current && storedMuted !== '') video.current.muted = true
  }, [video, storedMuted])
  useEffect(() => {
    if (!state.hasPicture) return
    storeVolume(String(state.volume))
    storeMuted(state.isMuted ? 'muted' : '')
  }, [state.hasPicture, state.volume, state.isMuted, storeVolume, storeMuted])
  return state
}
