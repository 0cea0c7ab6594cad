import { createContext, useContext } from 'react'
import { isInArchive } from '../archive-rules.ts'
import type { GuideProgram } from '../rules.ts'

/** How many hours back the archive of each channel goes, by channel id; empty where nothing can be watched. */
export const Archives = createContext<ReadonlyMap<number, number>>(new Map())

/** Whether a program can be watched from the archive at `at`, in milliseconds. */
export function useIsInArchive(): (channelId: number, program: GuideProgram, at: number) => boolean {
  const archives = useContext(Archives)
  return (channelId, program, at) => isInArchive(program, archives.get(channelId) ?? 0, at)
}
