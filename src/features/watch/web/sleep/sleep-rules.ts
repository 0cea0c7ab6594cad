import type { Timeline } from '../player/use-timeline.ts'

/** The choice to stop at the end of the program; the others are minutes, and 0 is off. */
export const endOfProgram = -1
type Program = { channelId: number | undefined; from: number; to: number; isLive: boolean }
/** `stopsAt`: when playback stops, in milliseconds. `program`: at the end of which it stops instead. */
export type SleepTimer = { chosen: number; stopsAt?: number; program?: Program }

/** The timer for a choice at `now`, in milliseconds. The end of the program needs a timeline. */
export function sleepTimerOf(
  chosen: number,
  { channelId, timeline, now }: { channelId: number | undefined; timeline: Timeline | undefined; now: number },
): SleepTimer {
  if (chosen > 0) return { chosen, stopsAt: now + chosen * 60_000 }
  if (chosen !== endOfProgram || !timeline) return { chosen: 0 }
  const { from, to, isRecording } = timeline
  return { chosen, program: { channelId, from, to, isLive: !isRecording } }
}

/**
 * A position this much before the start or after the end is that of another program. Recordings begin up to a minute early, and hidden pages update the
 * timeline once a minute.
 */
const toleranceMs = 2 * 60_000

/** Whether the program still plays, has ended, or another one plays that the viewer chose. */
export function programState(
  { channelId, from, to }: Pick<Program, 'channelId' | 'from' | 'to'>,
  current: number | undefined,
  timeline: Pick<Timeline, 'at'> | undefined,
): 'plays' | 'ended' | 'left' {
  if (channelId !== current) return 'left'
  if (!timeline) return 'plays'
  if (timeline.at < from - toleranceMs || timeline.at >= to + toleranceMs) return 'left'
  return timeline.at >= to ? 'ended' : 'plays'
}
