import { type SQL, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { AnnouncementKind, Audience } from '../../admin-contract.ts'

export type Group = { kind: AnnouncementKind; audience: Audience; planIds: number[] }

/** Returns a condition on `users u`: the customer belongs to the audience now. */
export function isInAudience({ audience, planIds }: Pick<Group, 'audience' | 'planIds'>): SQL {
  const isRunning = sql`u.subscription_status = 'active' and (u.subscription_end_date is null or u.subscription_end_date > now())`
  const conditions: Record<Audience, SQL> = {
    everyone: sql`true`,
    customers: sql`true`,
    active: isRunning,
    ended: sql`u.subscription_start_date is not null and not (${isRunning})`,
    never: sql`u.subscription_start_date is null and not (${isRunning})`,
    plans: sql`${isRunning} and u.plan_id = any(${sql.param(planIds)}::int[])`,
  }
  return sql`u.role = 'user' and ${conditions[audience]}`
}

/** Whether news is sent only to confirmed addresses. False if the operator does not require confirmation. */
export const needsConfirmedEmail = async (db: Db | Tx): Promise<boolean> =>
  (await settings.read(db, 'accounts')).emailVerification !== 'off'

/**
 * Counts the customers of a group who get an email (`customers`), do not want news (`unwilling`), or want news but have not confirmed their address
 * (`unconfirmed`). Emails about the service go to the whole group.
 */
export async function countRecipients(
  db: Db | Tx,
  group: Group,
): Promise<{ customers: number; unwilling: number; unconfirmed: number }> {
  const mustBeConfirmed = await needsConfirmedEmail(db)
  const isNews = group.kind === 'news'
  const { rows } = await db.execute<{ customers: number; unwilling: number; unconfirmed: number }>(sql`
    select count(*) filter (where wants and confirmed)::int as customers, count(*) filter (where not wants)::int as unwilling,
      count(*) filter (where wants and not confirmed)::int as unconfirmed
    from (select not ${isNews}::boolean or u.news_since is not null as wants,
      not ${isNews && mustBeConfirmed}::boolean or u.email_verified_at is not null as confirmed
      from users u where ${isInAudience(group)}) chosen`)
  return rows[0]!
}

/** Returns a condition on `users u`: the customer may get an email of this kind. `mustBeConfirmed`: news is sent only to confirmed addresses. */
export const mayBeEmailed = (kind: AnnouncementKind, mustBeConfirmed: boolean): SQL =>
  kind === 'service'
    ? sql`true`
    : mustBeConfirmed
      ? sql`u.news_since is not null and u.email_verified_at is not null`
      : sql`u.news_since is not null`
