import { eq, sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Output } from '#kit/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { plans, users } from '#server/db/tables.ts'
import { changed } from '#server/live/notify.ts'
import type { getNextStep, NextStep } from '../../contract.ts'
import { nextStepOf, putOffDays } from '../../next-step-rules.ts'
import { isRunning } from '../../running-rules.ts'

const nextStepFacts = statement('next_step', (db, { userId }: Params<{ userId: number }>) =>
  db
    .select({
      subscriptionStatus: users.subscriptionStatus,
      subscriptionEndDate: users.subscriptionEndDate,
      daysLeft: sql<number | null>`extract(epoch from ${users.subscriptionEndDate} - now())::float8 / 86400`,
      putOff: sql<
        string[]
      >`array(select key from jsonb_each_text(${users.putOffSteps}) where value::timestamptz > now())`,
      unusedScreens: sql<number>`case when exists (select from watching where enabled_at is not null) then
        greatest(0, coalesce(${plans.connections}, 0) - (select count(*)::int from devices d
          where d.user_id = ${users.id} and d.ended_at is null and d.seen_at is not null)) else 0 end`,
    })
    .from(users)
    .leftJoin(plans, eq(plans.id, users.planId))
    .where(eq(users.id, userId)),
)

/** What My Account suggests to this user. Screens count as unused only while channels can be watched on this site, where they are known. */
export async function readNextStep(db: Db, userId: number): Promise<Output<typeof getNextStep>> {
  const [row] = await nextStepFacts(db, { userId })
  const { subscriptionStatus, subscriptionEndDate, ...facts } = row!
  const running = isRunning({ subscriptionStatus, subscriptionEndDate }, new Date())
  return { step: nextStepOf({ isRunning: running, ...facts }), unusedScreens: facts.unusedScreens }
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
