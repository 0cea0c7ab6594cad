import { eq, sql } from 'drizzle-orm'
import { isOnSite } from '#features/settings/server/site-announcements.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { announcements, plans } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { type AdminAnnouncement, maxListedAnnouncements } from '../../admin-contract.ts'
import { maxOwnAnnouncements, type OwnAnnouncement } from '../../contract.ts'
import { isInAudience } from './audience.ts'

const shownColumns = sql`a.id, a.title, a.summary, a.link_label as "linkLabel", a.link_path as "linkPath"`

/** Returns the newest announcements for a customer. An announcement that was only emailed is listed for its recipients. */
export async function readOwnAnnouncements(db: Db, userId: number): Promise<OwnAnnouncement[]> {
  const inGroup = (['customers', 'active', 'ended', 'never'] as const).map(
    (audience) => sql`(a.audience = ${audience} and ${isInAudience({ audience, planIds: [] })})`,
  )
  const onPlan = sql`(a.audience = 'plans' and u.subscription_status = 'active' and u.plan_id = any(a.plan_ids))`
  const { rows } = await db.execute<OwnAnnouncement>(sql`
    select ${shownColumns}, a.body, a.published_at as "publishedAt", (${isOnSite}) as "isShown"
    from announcements a join users u on u.id = ${userId}
    where a.state = 'published' and (
      (a.on_site and (a.audience = 'everyone' or ${sql.join([...inGroup, onPlan], sql` or `)}))
      or a.id in (select r.announcement_id from announcement_recipients r where r.user_id = ${userId} and r.state = 'emailed'))
    order by a.id desc limit ${maxOwnAnnouncements}`)
  return rows.map((row) => ({ ...row, publishedAt: new Date(row.publishedAt).toISOString() }))
}

/** Returns an announcement as administrators see it. Throws 404. */
export async function readAnnouncement(db: Db | Tx, id: number): Promise<AdminAnnouncement> {
  const [found] = await readAll(db, sql`a.id = ${id}`)
  return found ?? notFound('Announcement not found')
}

/** Returns drafts and announcements, the newest first. */
export const listAnnouncements = (db: Db): Promise<AdminAnnouncement[]> => readAll(db, sql`true`)

const iso = (value: string | null) => (value === null ? null : new Date(value).toISOString())
async function readAll(db: Db | Tx, where: ReturnType<typeof sql>): Promise<AdminAnnouncement[]> {
  const { rows } = await db.execute<AdminAnnouncement>(sql`
    select ${shownColumns}, a.kind, a.body, a.audience, a.plan_ids as "planIds", a.on_site as "onSite", a.site_until as "siteUntil", a.emails,
      a.per_hour as "perHour", a.state, (${isOnSite}) as "isShown", u.username as "createdBy", a.created_at as "createdAt",
      a.published_at as "publishedAt", a.withdrawn_at as "withdrawnAt", a.version,
      jsonb_build_object('emailed', a.emailed, 'skipped', a.skipped, 'unsubscribed', a.unsubscribed, 'waiting',
        (select count(*) from announcement_recipients r where r.announcement_id = a.id and r.state = 'waiting')) as counts
    from announcements a join users u on u.id = a.created_by where ${where} order by a.id desc limit ${maxListedAnnouncements}`)
  return rows.map((row) => ({
    ...row,
    createdAt: iso(row.createdAt)!,
    siteUntil: iso(row.siteUntil),
    publishedAt: iso(row.publishedAt),
    withdrawnAt: iso(row.withdrawnAt),
  }))
}

/** Returns those of the plan ids that exist. */
export async function knownPlans(tx: Tx, planIds: readonly number[]): Promise<number[]> {
  if (planIds.length === 0) return []
  const found = await tx
    .select({ id: plans.id })
    .from(plans)
    .where(sql`${plans.id} = any(${sql.param([...planIds])}::int[])`)
  return found.map(({ id }) => id)
}

/** Locks an announcement. Throws 404. */
export async function lockAnnouncement(tx: Tx, id: number): Promise<typeof announcements.$inferSelect> {
  const [found] = await tx.select().from(announcements).where(eq(announcements.id, id)).for('update')
  return found ?? notFound('Announcement not found')
}
