import type { Timeline } from '../player/use-timeline.ts'

/** The choice that stops playback at the end of the program. The other choices are numbers of minutes; 0 is off. */
export const endOfProgram = -1
type Program = { channelId: number | undefined; from: number; to: number; isLive: boolean }
/** `stopsAt`: when playback stops, in milliseconds. `program`: the program at whose end playback stops instead. */
export type SleepTimer = { chosen: number; stopsAt?: number; program?: Program }

/** Returns the timer for a choice that is made at `now`, in milliseconds. `endOfProgram` needs a timeline; without one, the timer is off. */
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
 * A position more than this many milliseconds before the start or after the end belongs to another program. Recordings begin up to a minute early, and hidden
 * pages update the timeline once a minute.
 */
const toleranceMs = 2 * 60_000

/** Returns whether the program still plays, has ended, or was left because the viewer chose another program. */
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
