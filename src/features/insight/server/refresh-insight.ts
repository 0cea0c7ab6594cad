import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'

/** The maximum number of changes that one statement counts. */
const batchSize = 2_000

/**
 * Counts changes that are not in the rollups yet: one batch of at most 2,000. Returns whether more may be waiting. Each batch is one transaction,
 * and batches of several processes run one after the other.
 */
export async function refreshInsight(db: Db): Promise<boolean> {
  const { rows } = await db.execute<{ taken: number }>(sql`select refresh_insight(${batchSize}::int) as taken`)
  return rows[0]!.taken === batchSize
}

/** Counts every waiting change, as a job or before an export. Returns 0 as the number of due events that the job processed. */
export async function refreshAllInsight(db: Db): Promise<number> {
  while (await refreshInsight(db));
  return 0
}
