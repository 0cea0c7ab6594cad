import { eq, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { changed } from '#server/live/notify.ts'
import type { NextStep, OwnSubscription } from '../../contract.ts'
import { nextStepOf, putOffDays } from '../../next-step-rules.ts'
import { isRunning } from '../../running-rules.ts'

/** In a statement: how many screens a customer has used; null while channels cannot be watched on this site, where this is not known. */
export const usedScreens = (userId: Placeholder): SQL<number | null> =>
  sql<number | null>`(select count(d.id)::int from watching w left join devices d
    on d.user_id = ${userId} and d.ended_at is null and d.seen_at is not null
    where w.enabled_at is not null group by w.id)`

type Facts = Pick<typeof users.$inferSelect, 'subscriptionStatus' | 'subscriptionEndDate' | 'putOffSteps'> & {
  usedScreens: number | null
  /** The connections of the plan. */
  connections: number
}
/** What My Account suggests to a customer at `now`. */
export function nextStepIn(facts: Facts, now: Date): Pick<OwnSubscription, 'nextStep' | 'unusedScreens'> {
  const { subscriptionEndDate: end, connections, putOffSteps } = facts
  const unusedScreens = facts.usedScreens === null ? 0 : Math.max(0, connections - facts.usedScreens)
  const nextStep = nextStepOf({
    isRunning: isRunning(facts, now),
    daysLeft: end === null ? null : (Date.parse(end) - now.getTime()) / 86_400_000,
    unusedScreens,
    putOff: Object.keys(putOffSteps).filter((step) => new Date(putOffSteps[step]!) > now),
  })
  return { nextStep, unusedScreens }
}

/** Puts off a step for 7 days. Repeating it puts it off again. Returns until when. */
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
