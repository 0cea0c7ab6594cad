import type { Instant } from '#kit/dates.ts'
import type { GuideProgram } from './rules.ts'

const minuteMs = 60_000

/** Recordings lag behind: a running program can be watched from the archive only this long after its start. In milliseconds. */
export const archiveDelayMs = 3 * minuteMs

type Times = Pick<GuideProgram, 'startsAt' | 'endsAt'>
/** Whether a program can be watched from the archive at `now`, in milliseconds. `hours`: how far back the archive of its channel goes; 0 if it has none. */
export function isInArchive({ startsAt, endsAt }: Times, hours: number, now: number): boolean {
  const [start, end] = [Date.parse(startsAt), Date.parse(endsAt)]
  return hours > 0 && start >= now - hours * 60 * minuteMs && (end <= now || start <= now - archiveDelayMs)
}

/** The time at which a program leaves the archive, in milliseconds. `hours`: how far back the archive of its channel goes. */
export const archivedUntil = (startsAt: Instant, hours: number): number => Date.parse(startsAt) + hours * 60 * minuteMs
