import { useLocation, useNavigate } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'
import { toast } from '#web/ui/toast/toast.ts'
import type { Wanted } from '../use-play.ts'

/** Plays at once when a link asked for it, but not when the page is loaded again. */
export function useArrival(
  channelId: number | undefined,
  from: string | undefined,
  start: (wanted: Wanted) => void,
): void {
  const asksToPlay = useLocation({ select: ({ state }) => (state as { play?: boolean }).play === true })
  const navigate = useNavigate()
  const latest = useRef(start)
  latest.current = start
  useEffect(() => {
    if (!asksToPlay || channelId === undefined) return
    void navigate({ to: '.', search: true, state: {}, replace: true, resetScroll: false } as never)
    latest.current({ channelId, from })
  }, [asksToPlay, channelId, from, navigate])
}

/** A recording that has ended less than this before the present continues live, in milliseconds. */
const nearLiveMs = 6 * 60_000

/** Goes live when the recording of a running program has reached the present. */
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
