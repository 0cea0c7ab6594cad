import type { Instant } from '#kit/dates.ts'
import type { GuideProgram } from './rules.ts'

const minuteMs = 60_000

/** A running program cannot be watched from the archive before this time after its start, because recordings are behind, in milliseconds. */
export const archiveDelayMs = 3 * minuteMs
type Times = Pick<GuideProgram, 'startsAt' | 'endsAt'>
/**
 * Whether a program can be watched from the archive at `now`, in milliseconds. `hours`: how far back the archive of its channel may be used; 0 for not
 * at all.
 */
export function isInArchive({ startsAt, endsAt }: Times, hours: number, now: number): boolean {
  const [start, end] = [Date.parse(startsAt), Date.parse(endsAt)]
  return hours > 0 && start >= now - hours * 60 * minuteMs && (end <= now || start <= now - archiveDelayMs)
}

/** Until when a program is in the archive, in milliseconds. */
export const archivedUntil = (startsAt: Instant, hours: number): number => Date.parse(startsAt) + hours * 60 * minuteMs
