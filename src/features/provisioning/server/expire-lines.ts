import { and, eq, lte, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { lines } from '#server/db/tables.ts'
import { aim } from './request.ts'

const atOnce = 500

/** Has the lines suspended whose subscription ended and whose days of grace are over, and those whose trial ended: once each. Returns how many. */
export async function endLines(db: Db): Promise<number> {
  const { graceDays } = await settings.read(db, 'provisioning')
  return endSome(db, graceDays)
}

const endSome = (db: Db, graceDays: number): Promise<number> =>
  inTransaction(db, async (tx) => {
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
      .limit(atOnce)
      .for('no key update', { skipLocked: true })
    for (const { userId, until } of due) {
      await aim(tx, userId, { cause: 'end', key: `end:${userId}:${Date.parse(until!)}` })
    }
    return due.length
  })
