import { type RefObject, useEffect, useRef } from 'react'
import { toast } from '#web/ui/toast/toast.ts'

/** Playback continues live if the program of the recording ended less than this long ago, or is still running. In milliseconds. */
const nearLiveMs = 6 * 60_000

/** Goes live when playback reaches the end of a recording that is close to the present. `to`: the end of its program. */
export function useEndOfRecording(
  video: RefObject<HTMLVideoElement | null>,
  to: string | undefined,
  goLive: () => void,
): void {
  const latest = useRef(goLive)
  latest.current = goLive
  useEffect(() => {
    const element = video.current
    if (!element || to === undefined) return
    const onEnded = () => {
      if (Date.now() - Date.parse(to) > nearLiveMs) return
      toast({ title: 'You are watching live again' })
      latest.current()
    }
    element.addEventListener('ended', onEnded)
    return () => element.removeEventListener('ended', onEnded)
  }, [video, to])
}
