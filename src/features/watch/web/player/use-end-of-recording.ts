import { type RefObject, useEffect, useRef } from 'react'
import { toast } from '#web/ui/toast/toast.ts'

/** If the program of the recording ended less than this many milliseconds ago, or is still running, playback continues live. */
const nearLiveMs = 6 * 60_000

/**
 * Goes live when playback reaches the end of a recording that is close to the present. If `onEnd` is defined, calls it instead. `to`: the end of the program.
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
      toast({ title: 'You are back at live' })
      latest.current.goLive()
    }
    element.addEventListener('ended', onEnded)
    return () => element.removeEventListener('ended', onEnded)
  }, [video, to])
}
