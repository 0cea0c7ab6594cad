import { useEffect, useRef } from 'react'
import { toast } from '#web/ui/toast/toast.ts'
import type { Timeline } from '../player/use-timeline.ts'
import { programState, type SleepTimer } from './sleep-rules.ts'

interface Props {
  timer: SleepTimer
  channelId: number | undefined
  timeline: Timeline | undefined
  onEnd: () => void
  /** Turns the timer off, because it was set to the end of a program that the viewer has left. */
  onLeave: () => void
}

/** Calls `onEnd` at the time of the sleep timer or at the end of its program. Renders nothing. */
export function SleepClock({ timer: { stopsAt, program }, channelId, timeline, onEnd, onLeave }: Props) {
  const latest = useRef({ onEnd, onLeave })
  latest.current = { onEnd, onLeave }
  useEffect(() => {
    if (stopsAt === undefined) return
    const timeout = setTimeout(() => latest.current.onEnd(), stopsAt - Date.now())
    return () => clearTimeout(timeout)
  }, [stopsAt])
  useEffect(() => {
    const state = program && programState(program, channelId, timeline)
    if (state === 'ended') latest.current.onEnd()
    if (state === 'left') {
      latest.current.onLeave()
      toast({ title: 'The sleep timer is off', description: 'It was set to the end of the program that you left.' })
    }
    if (state !== 'plays' || !program?.isLive || timeline) return
    // The guide has nothing after the program, so there is no timeline to follow.
    const timeout = setTimeout(() => latest.current.onEnd(), program.to - Date.now())
    return () => clearTimeout(timeout)
  }, [program, channelId, timeline])
  return null
}
