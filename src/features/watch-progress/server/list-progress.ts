import { and, desc, eq } from 'drizzle-orm'
import { isInArchive } from '#features/guide/archive-rules.ts'
import { showingsAt } from '#features/guide/server/read/showings-at.ts'
import { readWatchChannels } from '#features/watch/server/plays/read-watch.ts'
import type { Db } from '#server/db/connect.ts'
import { watchProgress } from '#server/db/tables.ts'
import type { WatchHistory } from '../contract.ts'
import { maxProgress, parseProgressRef, progressRef } from '../rules.ts'
import { keepsHistory } from './history.ts'

/**
 * Returns the programs that a customer has not watched to the end, most recently watched first. Leaves out programs that the guide no longer lists, and those
 * that are not in the archive of a channel that can be watched in this country.
 */
export async function listProgress(db: Db, userId: number, country: string | null): Promise<WatchHistory> {
  const { kind, ref, positionMs, lengthMs } = watchProgress
  const [isKept, rows] = await Promise.all([
    keepsHistory(db, userId),
    db
      .select({ kind, ref, positionMs, lengthMs })
      .from(watchProgress)
      .where(and(eq(watchProgress.userId, userId), eq(watchProgress.done, false)))
      .orderBy(desc(watchProgress.seenAt), watchProgress.ref)
      .limit(maxProgress),
  ])
  const programs = rows.flatMap((row) => parseProgressRef(row.ref) ?? [])
  if (programs.length === 0) return { isKept, items: [] }
  const [published, showings] = await Promise.all([readWatchChannels(db, country), showingsAt(db, programs)])
  const channels = new Map(published.filter(({ blocked }) => blocked === null).map((channel) => [channel.id, channel]))
  const listed = new Map(showings.map((showing) => [progressRef(showing), showing]))
  const now = Date.now()
  const items = rows.flatMap((row) => {
    const showing = listed.get(row.ref)
    const channel = showing && channels.get(showing.channelId)
    if (!channel || !isInArchive(showing, channel.archiveHours, now)) return []
    return [{ ...row, ...showing, channelName: channel.name, category: channel.category }]
  })
  return { isKept, items }
}
