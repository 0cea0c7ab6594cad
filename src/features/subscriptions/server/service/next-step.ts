import { eq, sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Output } from '#kit/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { changed } from '#server/live/notify.ts'
import type { getNextStep, NextStep } from '../../contract.ts'
import { nextStepOf, putOffDays } from '../../next-step-rules.ts'
import { isRunning } from '../../running-rules.ts'

type Row = {
  subscriptionStatus: 'active' | 'pending' | 'expired' | 'cancelled' | 'none'
  subscriptionEndDate: Date | null
  daysLeft: number | null
  putOff: string[]
  unusedScreens: number
}

/** What My Account suggests to this user. Screens count as unused only while channels can be watched on this site, where they are known. */
export async function readNextStep(db: Db, userId: number): Promise<Output<typeof getNextStep>> {
  const { rows } = await db.execute<Row>(sql`
    select u.subscription_status as "subscriptionStatus", u.subscription_end_date as "subscriptionEndDate",
      extract(epoch from u.subscription_end_date - now())::float8 / 86400 as "daysLeft",
      array(select key from jsonb_each_text(u.put_off_steps) where value::timestamptz > now()) as "putOff",
      case when exists (select from watching where enabled_at is not null) then
        greatest(0, coalesce(p.connections, 0)
          - (select count(*)::int from devices d where d.user_id = u.id and d.ended_at is null and d.seen_at is not null))
      else 0 end as "unusedScreens"
    from users u left join plans p on p.id = u.plan_id where u.id = ${userId}`)
  const { subscriptionStatus, subscriptionEndDate, ...facts } = rows[0]!
  const end = subscriptionEndDate && new Date(subscriptionEndDate).toISOString()
  const running = isRunning({ subscriptionStatus, subscriptionEndDate: end }, new Date())
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
