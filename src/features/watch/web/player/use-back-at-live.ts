import { type RefObject, useEffect, useRef } from 'react'
import { toast } from '#web/ui/toast/toast.ts'

/** A part was left out if playback continues more than this after the position of the pause, in seconds. */
const toleranceSeconds = 1

export const sayBackAtLive = (): void => toast({ title: 'You are back at live' })

/**
 * Goes live, with a message, when the viewer continues after a pause that was longer than the stream is kept: the player has moved the position then.
 * Returns where the viewer paused, in seconds. A seek of the viewer must update it.
 */
export function useBackAtLive(
  video: RefObject<HTMLVideoElement | null>,
  isLive: boolean,
  goLive: () => void,
): RefObject<number | undefined> {
  const pausedAt = useRef<number>(undefined)
  const latest = useRef(goLive)
  latest.current = goLive
  useEffect(() => {
    const element = video.current
    if (!element || !isLive) return
    const onPause = () => {
      pausedAt.current = element.currentTime
    }
    const onPlay = () => {
      const from = pausedAt.current
      pausedAt.current = undefined
      if (from === undefined || element.currentTime <= from + toleranceSeconds) return
      sayBackAtLive()
      latest.current()
    }
    element.addEventListener('pause', onPause)
    element.addEventListener('play', onPlay)
    return () => {
      pausedAt.current = undefined
      element.removeEventListener('pause', onPause)
      element.removeEventListener('play', onPlay)
    }
  }, [video, isLive])
  return pausedAt
}
