import { and, eq, lte, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { lines } from '#server/db/tables.ts'
import { requestProvisioning } from './request.ts'

const batchSize = 500

/**
 * Requests that up to 500 lines are disabled: those whose subscription and grace days are over, and those whose trial is over. Each end is requested once.
 * Returns how many lines.
 */
export async function expireLines(db: Db): Promise<number> {
  const { graceDays } = await settings.read(db, 'provisioning')
  return inTransaction(db, async (tx) => {
    const grace = sql`case when ${lines.wantedUntil} = ${lines.trialUntil} then interval '0' else interval '24 hours' * ${graceDays}::int end`
    const due = await tx
      .select({ userId: lines.userId, until: lines.wantedUntil })
      .from(lines)
      .where(
        and(
          eq(lines.wantedEnabled, true),
          lte(lines.wantedUntil, sql`now()`),
          sql`${lines.wantedUntil} + (${grace}) <= now()`,
        ),
      )
      .orderBy(lines.wantedUntil)
      .limit(batchSize)
      .for('no key update', { skipLocked: true })
    for (const { userId, until } of due)
      await requestProvisioning(tx, userId, { cause: 'end', key: `end:${userId}:${Date.parse(until!)}` })
    return due.length
  })
}
