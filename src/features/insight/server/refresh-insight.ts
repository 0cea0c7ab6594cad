import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'

/** Changes counted by one statement. */
const batchSize = 2_000

/**
 * Counts changes that are not in the rollups yet: one batch of at most 2,000. Returns whether more may be waiting. Each batch is one transaction,
 * and batches of several processes run one after the other.
 */
export async function refreshInsight(db: Db): Promise<boolean> {
  const { rows } = await db.execute<{ taken: number }>(sql`select refresh_insight(${batchSize}::int) as taken`)
  return rows[0]!.taken === batchSize
}

/** The job: counts every waiting change. Returns 0, because rollups are not due events. */
export async function refreshAllInsight(db: Db): Promise<number> {
  while (await refreshInsight(db));
  return 0
}
