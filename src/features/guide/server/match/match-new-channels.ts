import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { guideSources } from '#server/db/tables.ts'
import { changed, notifyCatalog, notifyGuide } from '#server/live/notify.ts'
import { hasUnmatched } from './list-matches.ts'
import { matchSource } from './match-source.ts'

/**
 * Matches channels that were imported since the sources were last read, and requests a full read of each source with a new match. Returns how many
 * channels were matched.
 */
export async function matchNewChannels(db: Db, connection: pg.ClientConfig): Promise<number> {
  if (!(await hasUnmatched(db))) return 0
  const sources = await db.select({ id: guideSources.id }).from(guideSources).orderBy(guideSources.id)
  const client = new pg.Client({ ...connection, application_name: 'sauce guide' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    let matched = 0
    for (const { id } of sources) {
      const found = await matchSource(client, id)
      if (found > 0) await requestFullRead(db, id)
      matched += found
    }
    return matched
  } finally {
    await client.end()
  }
}

const requestFullRead = (db: Db, id: number) =>
  inTransaction(db, async (tx) => {
    await tx
      .update(guideSources)
      .set({ etag: null, lastModified: null, nextAt: sql`now()` })
      .where(eq(guideSources.id, id))
    await changed(tx, ['guide', 'guide_source'])
    await notifyCatalog(tx)
    await notifyGuide(tx)
  })
