import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { notFound } from '#server/errors.ts'
import type { TimeGift } from '../../../admin-gift-contract.ts'
import type { OwnSubscription } from '../../../contract.ts'

const exceptionsShown = 20

/** Returns a gift with its progress. Throws 404. */
export async function readGift(db: Db | Tx, giftId: number): Promise<TimeGift> {
  const [found] = await readGifts(db, sql`g.id = ${giftId}`)
  return found ?? notFound('Gift not found')
}

/** Returns the gifts for an incident, newest first. */
export const giftsOf = (db: Db | Tx, incidentId: number): Promise<TimeGift[]> =>
  readGifts(db, sql`g.incident_id = ${incidentId}`)

async function readGifts(db: Db | Tx, where: ReturnType<typeof sql>): Promise<TimeGift[]> {
  const { rows } = await db.execute<Omit<TimeGift, 'counts'> & { counts: Partial<TimeGift['counts']> }>(sql`
    select g.id, g.days, g.reason, g.emails, g.state, g.created_at as "createdAt", u.username as "createdBy",
      (select coalesce(jsonb_object_agg(state, customers), '{}') from (
        select c.state, count(*)::int as customers from time_gift_customers c where c.gift_id = g.id group by c.state) counted) as counts,
      (select coalesce(jsonb_agg(jsonb_build_object('userId', user_id, 'username', username, 'reason', reason)), '[]') from (
        select c.user_id, n.username, c.reason from time_gift_customers c join users n on n.id = c.user_id
        where c.gift_id = g.id and c.state in ('skipped', 'kept') order by c.user_id limit ${exceptionsShown}) named) as exceptions
    from time_gifts g join users u on u.id = g.created_by where ${where} order by g.id desc limit 20`)
  return rows.map((row) => ({
    ...row,
    createdAt: new Date(row.createdAt).toISOString(),
    counts: { waiting: 0, added: 0, skipped: 0, undone: 0, kept: 0, ...row.counts },
  }))
}

type OwnGift = OwnSubscription['gifts'][number]
/** The maximum number of gifts shown to a customer. */
const ownShown = 5
/** For use in a statement: the gifts to a customer whose days are not used up yet, newest first. */
export const ownGifts = (userId: Placeholder): SQL<OwnGift[]> =>
  sql<
    OwnGift[]
  >`(select coalesce(json_agg(json_build_object('days', days, 'reason', reason, 'at', created_at) order by id desc), '[]') from (
    select g.* from time_gift_customers c join time_gifts g on g.id = c.gift_id
    where c.user_id = ${userId} and c.state in ('added', 'kept')
      and exists (select from segments s where s.activation_id = c.activation_id and s.ends_at > now())
    order by g.id desc limit ${ownShown}) shown)`.mapWith((gifts: OwnGift[]) =>
    gifts.map((gift) => ({ ...gift, at: new Date(gift.at).toISOString() })),
  )
