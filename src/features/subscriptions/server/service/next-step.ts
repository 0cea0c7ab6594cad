import { eq, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { changed } from '#server/live/notify.ts'
import type { NextStep } from '../../contract.ts'
import { putOffDays } from '../../next-step-rules.ts'

/**
 * For use in a statement: how many screens a customer has used; null while channels cannot be watched on this site, because then this is not known.
 */
export const usedScreens = (userId: Placeholder): SQL<number | null> =>
  sql<number | null>`case when exists (select from watching where enabled_at is not null) then
    (select count(*)::int from devices where user_id = ${userId} and ended_at is null and seen_at is not null) end`

/** Puts off a step for 7 days from now. Returns until when the step is put off. */
export async function putOff(db: Db, userId: number, step: NextStep): Promise<{ until: Instant }> {
  return inTransaction(db, async (tx) => {
    const until = sql`(now() + make_interval(days => ${putOffDays}))`
    const [row] = await tx
      .update(users)
      .set({ putOffSteps: sql`${users.putOffSteps} || jsonb_build_object(${step}::text, ${until})` })
      .where(eq(users.id, userId))
      .returning({ steps: users.putOffSteps })
    await changed(tx, 'subscription', { user: userId })
    return { until: new Date(row!.steps[step]!).toISOString() }
  })
}
