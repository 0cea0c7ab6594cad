import type { Showing } from '#features/guide/contract.ts'
import { searchEnded } from '#features/guide/server/read/search-guide.ts'
import type { Db } from '#server/db/connect.ts'
import { readWatchChannels } from './plays/read-watch.ts'

type Search = Parameters<typeof searchEnded>[2]

/** Returns the ended programs that match the search and can be watched from the archive in this country, the latest first. */
export async function searchArchive(db: Db, country: string | null, search: Search): Promise<Showing[]> {
  const watched = await readWatchChannels(db, country)
  const archives = watched.filter(({ blocked, archiveHours }) => blocked === null && archiveHours > 0)
  return archives.length === 0 ? [] : searchEnded(db, archives, search)
}
