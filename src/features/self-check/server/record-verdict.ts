import { and, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { selfChecks } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import type { CheckOutcome } from '../admin-contract.ts'
import type { Cause } from '../contract.ts'

type Check = Pick<typeof selfChecks.$inferSelect, 'id' | 'cause' | 'reported' | 'createdAt' | 'facts'>

/**
 * Records the verdict of a check, once. The verdict of a check without a channel is not recorded, because no report can be sent with such a check. Throws 404
 * for a check of another customer.
 */
export const recordVerdict = (db: Db, userId: number, checkId: string, cause: Cause): Promise<void> =>
  inTransaction(db, async (tx) => {
    const [check] = await tx
      .select()
      .from(selfChecks)
      .where(and(eq(selfChecks.id, checkId), eq(selfChecks.userId, userId)))
      .for('update')
    if (!check) return notFound('Check not found. Please check again.')
    if (check.facts?.channelName) await countVerdict(tx, check, cause)
  })

/** Counts the verdict of a check, unless it was already counted. The caller must have locked the check. Returns the verdict that was counted. */
async function countVerdict(tx: Tx, { id, cause: before, createdAt }: Check, cause: Cause): Promise<string> {
  if (before !== null) return before
  await tx.update(selfChecks).set({ cause }).where(eq(selfChecks.id, id))
  await tx.execute(sql`insert into self_check_verdicts as v (day, cause, checks) values (${dayOf(createdAt)}, ${cause}, 1)
    on conflict (day, cause) do update set checks = v.checks + 1`)
  return cause
}

/** Counts a check as sent with a report, once. The caller must have locked the check. */
export async function countReported(tx: Tx, check: Check, cause: Cause): Promise<void> {
  const counted = await countVerdict(tx, check, cause)
  if (check.reported) return
  await tx.update(selfChecks).set({ reported: true }).where(eq(selfChecks.id, check.id))
  await tx.execute(sql`update self_check_verdicts set reported = reported + 1
    where day = ${dayOf(check.createdAt)}::date and cause = ${counted} and reported < checks`)
}

const dayOf = (instant: string): string => new Date(instant).toISOString().slice(0, 10)
const firstDay = sql`(now() at time zone 'UTC')::date - ${limits.selfCheck.keptDays}::int`

/** How the checks of the last 30 days ended, the most frequent verdict first. */
export async function listCheckOutcomes(db: Db): Promise<CheckOutcome[]> {
  const { rows } = await db.execute<CheckOutcome>(sql`
    select cause, sum(checks)::int as checks, sum(checks - reported)::int as "withoutReport"
    from self_check_verdicts where day > ${firstDay} group by cause order by 2 desc, cause`)
  return rows
}

/** Deletes the counts of days before the last 30 days. */
export const removeOldVerdicts = (db: Db) => db.execute(sql`delete from self_check_verdicts where day <= ${firstDay}`)
