import { createContext, useContext } from 'react'
import type { Watch } from '#features/watch/contract.ts'
import { isInArchive } from '../archive-rules.ts'
import type { GuideProgram } from '../rules.ts'

/** How many hours back the archive of each channel goes, by channel id; empty on pages where no recordings can be watched. */
export const Archives = createContext<ReadonlyMap<number, number>>(new Map())

/** Returns how many hours back the archive goes, by channel id, of the channels that can be played here. */
export const archivesOf = (watch: Watch | undefined): ReadonlyMap<number, number> =>
  new Map(watch?.channels.flatMap(({ id, blocked, archiveHours }) => (blocked ? [] : [[id, archiveHours]])))
/** Returns how many hours back the longest archive goes; 0 without archives. */
export const longestArchive = (archives: ReadonlyMap<number, number>): number => Math.max(0, ...archives.values())

/** Returns a function that tests whether a program can be watched from the archive at `at`, in milliseconds. */
export function useIsInArchive(): (channelId: number, program: GuideProgram, at: number) => boolean {
  const archives = useContext(Archives)
  return (channelId, program, at) => isInArchive(program, archives.get(channelId) ?? 0, at)
}
