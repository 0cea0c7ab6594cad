import { eq, type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { TimeGift } from '#features/subscriptions/admin-gift-contract.ts'
import { continueGift, startGift } from '#features/subscriptions/server/service/gifts/group-gift.ts'
import { giftsOf } from '#features/subscriptions/server/service/gifts/read-gift.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { incidents } from '#server/db/tables.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import type { Approver } from '#server/session/actor.ts'
import type { giftGroup, givenDaysForm, listGivenDays, previewGivenDays } from '../../admin-days-contract.ts'

type Incident = typeof incidents.$inferSelect
type Group = z.output<typeof giftGroup>
type DaysGiven = z.output<(typeof listGivenDays)['output']>
type Preview = z.output<(typeof previewGivenDays)['output']>

const dayMs = 86_400_000
const examplesShown = 10

/** Returns the days given back after an incident, and its duration in days. Throws 404. */
export async function readGivenDays(db: Db, incidentId: number): Promise<DaysGiven> {
  const { startsAt, endedAt, caseId } = await find(db, incidentId)
  const durationMs = endedAt === null ? null : Date.parse(endedAt) - Date.parse(startsAt)
  return {
    affectedDays: durationMs === null ? null : Math.max(1, Math.ceil(durationMs / dayMs)),
    hasReporters: caseId !== null,
    gifts: await giftsOf(db, incidentId),
  }
}

/** Returns how many customers would get days, and examples. Throws 400 on the invalid field, 404, and 409 for an incident that has not ended. */
export async function previewDays(
  db: Db,
  incidentId: number,
  { days, ...group }: Group & { days: number },
): Promise<Preview> {
  const incident = await findEnded(db, incidentId)
  const chosen = customersOf(incident, group)
  const { rows } = await db.execute<{ customers: number; ended: number; before: number; plans: Preview['plans'] }>(sql`
    with chosen as (${chosen})
    select (select count(*)::int from chosen where not had_days) as customers,
      (select count(*)::int from chosen where not had_days and ends <= now()) as ended,
      (select count(*)::int from chosen where had_days) as before,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'customers', customers) order by customers desc, name), '[]') from (
        select p.id, p.name, count(*)::int as customers from chosen c join plans p on p.id = c.plan_id where not c.had_days group by p.id, p.name) by_plan) as plans`)
  const { rows: examples } = await db.execute<{
    id: number
    username: string
    endsAt: string | null
    newEnd: string
  }>(sql`
    with chosen as (${chosen})
    select u.id, u.username, c.ends as "endsAt", greatest(c.ends, now()) + make_interval(hours => 24 * ${days}::int) as "newEnd"
    from chosen c join users u on u.id = c.user_id where not c.had_days order by u.id limit ${examplesShown}`)
  const { customers, ended, before, plans } = rows[0]!
  return {
    ...{ customers, ended, alreadyGiven: before, plans },
    examples: examples.map((each) => ({
      ...each,
      endsAt: each.endsAt && new Date(each.endsAt).toISOString(),
      newEnd: new Date(each.newEnd).toISOString(),
    })),
  }
}

type NewDays = z.output<typeof givenDaysForm> & { expectedCustomers: number }
/**
 * Starts a gift of days for the customers in a group who have not received days for this incident yet, and processes its first batch. Throws the
 * same errors as `previewDays`, and 409 if there are no such customers or their number is not `expectedCustomers`.
 */
export async function giveDaysBack(
  db: Db,
  incidentId: number,
  { days, reason, emails, expectedCustomers, ...group }: NewDays,
  actor: Approver,
): Promise<TimeGift> {
  const giftId = await inTransaction(db, async (tx) => {
    // Locks the incident, so that a simultaneous second request waits and then finds no customers.
    const incident = await findEnded(tx, incidentId, { isLocked: true })
    const { rows } = await tx.execute<{ id: number }>(
      sql`select user_id as id from (${customersOf(incident, group)}) chosen where not had_days order by user_id`,
    )
    if (rows.length === 0)
      conflict('no_customers', 'No customers in this group can still get days. Nothing was changed.')
    if (rows.length !== expectedCustomers)
      conflict(
        'customers_changed',
        `There are ${rows.length} customers now, not ${expectedCustomers}. Nothing was changed.`,
      )
    return startGift(tx, { days, reason, emails, incidentId, userIds: rows.map(({ id }) => id) }, actor)
  })
  return continueGift(db, giftId, actor.requestId)
}

/**
 * Selects the customers of a group with paid time during the incident: their current or last plan, the end of their subscription, and whether they
 * already got days for this incident. Throws 400 on the invalid field.
 */
function customersOf({ id, startsAt, endedAt, caseId }: Incident, { to, planIds }: Group): SQL {
  if (to === 'plans' && planIds.length === 0) invalid('planIds', 'Please choose a plan')
  if (to === 'reporters' && caseId === null) invalid('to', 'This incident has no case of reports')
  const narrowed =
    to === 'plans'
      ? sql`and s.plan_id = any(${sql.param(planIds)}::int[])`
      : to === 'reporters'
        ? sql`and exists (select from reports r where r.case_id = ${caseId} and r.user_id = u.id)`
        : sql``
  return sql`
    select u.id as user_id, u.plan_id, u.subscription_end_date as ends,
      exists (select from time_gift_customers c where c.incident_id = ${id} and c.user_id = u.id and c.state in ('waiting', 'added', 'kept')) as had_days
    from users u where u.subscription_status in ('active', 'expired') and exists (
      select from segments s where s.user_id = u.id and s.replaced_by is null and not s.withdrawn
        and s.starts_at < ${endedAt}::timestamptz and s.ends_at > ${startsAt}::timestamptz ${narrowed})`
}

async function find(db: Db | Tx, incidentId: number): Promise<Incident> {
  const [found] = await db.select().from(incidents).where(eq(incidents.id, incidentId))
  return found ?? notFound('Incident not found')
}

async function findEnded(db: Db | Tx, incidentId: number, { isLocked = false } = {}): Promise<Incident> {
  if (isLocked) await db.execute(sql`select from incidents where id = ${incidentId} for no key update`)
  const incident = await find(db, incidentId)
  return incident.endedAt === null ? conflict('not_ended', 'The incident has not ended. End it first.') : incident
}
