import { createContext, useContext } from 'react'
import type { Watch } from '#features/watch/contract.ts'
import { isInArchive } from '../archive-rules.ts'
import type { GuideProgram } from '../rules.ts'

/** How many hours back the archive of each channel goes, by channel id; empty where nothing can be watched. */
export const Archives = createContext<ReadonlyMap<number, number>>(new Map())

/** The archives of the channels that can be played here, and how many hours back the longest goes. */
export const archivesOf = (watch: Watch | undefined): ReadonlyMap<number, number> =>
  new Map(watch?.channels.flatMap(({ id, blocked, archiveHours }) => (blocked ? [] : [[id, archiveHours]])))
export const longestArchive = (archives: ReadonlyMap<number, number>): number => Math.max(0, ...archives.values())

/** Whether a program can be watched from the archive at `at`, in milliseconds. */
export function useIsInArchive(): (channelId: number, program: GuideProgram, at: number) => boolean {
  const archives = useContext(Archives)
  return (channelId, program, at) => isInArchive(program, archives.get(channelId) ?? 0, at)
}
