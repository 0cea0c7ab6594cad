import { useEffect, useRef, useState } from 'react'
import type { ReleaseReason } from '../use-play.ts'
import type { VideoState } from '../use-video.ts'
import { useDelayed } from './use-delayed.ts'

/** The times after which the player gives its screen back, in milliseconds. */
const pausedMs = 5 * 60_000
const hiddenMs = 10 * 60_000
const hourMs = 3_600_000
const inputEvents = ['pointerdown', 'keydown']

/**
 * Gives the screen back when playback has been paused for 5 minutes, when the page has been hidden without sound for 10 minutes, and when nothing has been
 * pressed for `unattendedHours`, unless that is 0.
 */
export function useReleaseScreen(
  isPlaying: boolean,
  video: Pick<VideoState, 'hasPicture' | 'isPaused' | 'isMuted' | 'volume'>,
  unattendedHours: number,
  releaseScreen: (reason: ReleaseReason) => void,
): void {
  const isHidden = useIsHidden()
  const isSilent = video.isMuted || video.volume === 0
  const isPausedLong = useDelayed(isPlaying && video.hasPicture && video.isPaused, pausedMs)
  const isHiddenLong = useDelayed(isPlaying && isHidden && isSilent, hiddenMs)
  const latest = useRef(releaseScreen)
  latest.current = releaseScreen
  useEffect(() => {
    if (isPausedLong || isHiddenLong) latest.current('idle')
  }, [isPausedLong, isHiddenLong])
  useEffect(() => {
    if (!isPlaying || unattendedHours === 0) return
    let timer: ReturnType<typeof setTimeout>
    const restart = () => {
      clearTimeout(timer)
      timer = setTimeout(() => latest.current('unattended'), unattendedHours * hourMs)
    }
    restart()
    for (const event of inputEvents) addEventListener(event, restart)
    return () => {
      clearTimeout(timer)
      for (const event of inputEvents) removeEventListener(event, restart)
    }
  }, [isPlaying, unattendedHours])
}

function useIsHidden(): boolean {
  const [isHidden, setHidden] = useState(false)
  useEffect(() => {
    const update = () => setHidden(document.hidden)
    update()
    document.addEventListener('visibilitychange', update)
    return () => document.removeEventListener('visibilitychange', update)
  }, [])
  return isHidden
}
