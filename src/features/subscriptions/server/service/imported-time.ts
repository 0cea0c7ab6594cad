import { inArray, sql } from 'drizzle-orm'
import { addMonths, type Instant, isBefore } from '#kit/dates.ts'
import type { Tx } from '#server/db/connect.ts'
import { activations, segments } from '#server/db/tables.ts'
import type { SubscriptionState } from '../../rules.ts'
import { editSequence } from '../paid-time/edit.ts'
import type { NewSegment } from '../paid-time/segment.ts'
import { subscriptionAt } from '../paid-time/subscription-at.ts'

type Plan = { id: number; price: number; months: number; connections: number }
export type ImportedTime = { userId: number; plan: Plan; paidUntil: Instant }
export type ImportedSubscription = { userId: number; state: SubscriptionState }

/**
 * Gives new customers the time that they paid for in another system, as a grant by `actorId`: it has a list price but 0 paid cents. If the time has
 * ended, the subscription is expired. No line is requested. Returns the subscriptions.
 */
export async function grantImportedTime(
  tx: Tx,
  times: ImportedTime[],
  now: Instant,
  actorId: number,
): Promise<ImportedSubscription[]> {
  if (times.length === 0) return []
  const granted = times.map((time) => ({ userId: time.userId, planId: time.plan.id, ...subscriptionOf(time, now) }))
  await tx.execute(sql`
    with input as (
        select * from jsonb_to_recordset(${JSON.stringify(granted.map(toRow))}::jsonb)
          as input("userId" int, "planId" int, status text, "startDate" timestamptz, "endDate" timestamptz, connections int, after jsonb, created jsonb)),
      shown as (
        update users u set plan_id = input."planId", subscription_status = input.status, subscription_start_date = input."startDate",
          subscription_end_date = input."endDate", iptv_max_connections = input.connections
        from input where u.id = input."userId"),
      made as (
        insert into activations (user_id, kind, plan_id, effective_at, after, created_by)
        select "userId", 'grant', "planId", ${now}::timestamptz, after, ${actorId}::int from input order by "userId" returning id, user_id)
    insert into segments (user_id, activation_id, plan_id, months, connections, starts_at, ends_at, period_days, list_cents, paid_cents, begun)
    select made.user_id, made.id, s."planId", s.months, s.connections, s."startsAt", s."endsAt", s."periodDays", s."listCents", 0, s."startsAt" <= now()
    from made join input on input."userId" = made.user_id, jsonb_to_recordset(input.created)
      as s("planId" int, months int, connections int, "startsAt" timestamptz, "endsAt" timestamptz, "periodDays" int, "listCents" int)`)
  return granted.map(({ userId, state }) => ({ userId, state }))
}

/** Returns the subscription and segments of one customer. The time begins with the period that is running at `now`. */
function subscriptionOf({ plan, paidUntil }: ImportedTime, now: Instant) {
  if (!isBefore(now, paidUntil)) {
    const startDate = addMonths(paidUntil, -plan.months)
    const state = {
      planId: plan.id,
      status: 'expired' as const,
      startDate,
      endDate: paidUntil,
      maxConnections: plan.connections,
    }
    return { state, created: [] as NewSegment[] }
  }
  let periods = 1
  while (isBefore(now, addMonths(paidUntil, -plan.months * periods))) periods++
  const period = { from: addMonths(paidUntil, -plan.months * periods), to: paidUntil, plan, changesPlan: true }
  const { created } = editSequence([], { now, period })
  return { state: subscriptionAt(created, now)!, created }
}

const toRow = ({
  userId,
  planId,
  state,
  created,
}: ReturnType<typeof subscriptionOf> & { userId: number; planId: number }) => ({
  ...{ userId, planId, status: state.status, startDate: state.startDate, endDate: state.endDate },
  ...{ connections: state.maxConnections, after: state, created },
})

/** Deletes the time of imported customers whose subscriptions have not changed since. */
export async function removeImportedTime(tx: Tx, userIds: number[]): Promise<void> {
  await tx.delete(segments).where(inArray(segments.userId, userIds))
  await tx.delete(activations).where(inArray(activations.userId, userIds))
}

/** Clears the subscriptions of customers whose imported time was deleted. */
export async function clearImportedSubscriptions(tx: Tx, userIds: number[]): Promise<void> {
  await tx.execute(sql`
    update users set plan_id = null, subscription_status = 'none', subscription_start_date = null, subscription_end_date = null,
      iptv_max_connections = null where id = any(${sql.param(userIds)}::int[])`)
}
