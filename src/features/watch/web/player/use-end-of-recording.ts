import { type RefObject, useEffect, useRef } from 'react'
import { toast } from '#web/ui/toast/toast.ts'

/** Playback continues live if the program of the recording ended less than this long ago, or is still running. In milliseconds. */
const nearLiveMs = 6 * 60_000

/**
 * Goes live when playback reaches the end of a recording that is close to the present, or calls `onEnd` instead if it is defined. `to`: the end of its
 * program.
 */
export function useEndOfRecording(
  video: RefObject<HTMLVideoElement | null>,
  to: string | undefined,
  goLive: () => void,
  onEnd: (() => void) | undefined,
): void {
  const latest = useRef({ goLive, onEnd })
  latest.current = { goLive, onEnd }
  useEffect(() => {
    const element = video.current
    if (!element || to === undefined) return
    const onEnded = () => {
      if (latest.current.onEnd) return latest.current.onEnd()
      if (Date.now() - Date.parse(to) > nearLiveMs) return
      toast({ title: 'You are watching live again' })
      latest.current.goLive()
    }
    element.addEventListener('ended', onEnded)
    return () => element.removeEventListener('ended', onEnded)
  }, [video, to])
}
