import { type RefObject, useEffect, useRef } from 'react'
import { toast } from '#web/ui/toast/toast.ts'

/** If playback continues this many seconds after the paused position or later, a part of the stream was skipped. */
const toleranceSeconds = 1

export const sayBackAtLive = (): void => toast({ title: 'You are back at live' })

/**
 * Goes live and shows a message if the viewer paused for longer than the stream stays available. The player has then already moved to a later position. Returns
 * a ref with the position of the pause, in seconds; undefined during playback. If the viewer seeks while paused, the caller must update the ref.
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
