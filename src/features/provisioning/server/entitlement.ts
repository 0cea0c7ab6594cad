import { eq, type SQL, sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { lines, users } from '#server/db/tables.ts'
import { type DesiredState, desiredState } from '../rules.ts'

export type LineRow = typeof lines.$inferSelect
/** A customer with their line and its desired state. */
export type Subscriber = {
  now: Instant
  userId: number
  line: LineRow | null
  desired: DesiredState
  planName: string | null
  username: string
  /** The account that the customer entered and the panel accepted; its password is sealed. */
  synced: { username: string; password: string } | null
}

// The running segment counts even while the customer's row does not show it yet.
const runningSegment = (column: SQL) => sql<number | null>`(
  select ${column} from segments s where s.user_id = users.id and s.replaced_by is null and not s.withdrawn and s.starts_at <= now() order by s.starts_at desc limit 1)`
const planId = sql<
  number | null
>`case when users.plan_id is not null then coalesce(${runningSegment(sql`s.plan_id`)}, users.plan_id) end`

/** The columns that decide a customer's entitlement, for a query of `users`. */
export const entitlementColumns = {
  now: sql<string>`now()`.mapWith(users.createdAt),
  status: users.subscriptionStatus,
  endDate: users.subscriptionEndDate,
  planId,
  months: sql<number | null>`(select p.months from plans p where p.id = ${planId})`,
  connections: sql<
    number | null
  >`coalesce(${runningSegment(sql`s.connections`)}, (select p.connections from plans p where p.id = users.plan_id))`,
}

async function findSubscribers(db: Db | Tx, graceDays: number, where: SQL): Promise<Subscriber[]> {
  const rows = await db
    .select({
      ...entitlementColumns,
      userId: users.id,
      line: lines,
      username: users.username,
      synced: users.iptvSynced,
      iptvUsername: users.iptvUsername,
      iptvPassword: users.iptvPassword,
      planName: sql<string | null>`(select p.name from plans p where p.id = users.plan_id)`,
    })
    .from(users)
    .leftJoin(lines, eq(lines.userId, users.id))
    .where(where)
  return rows.map(({ now, userId, line, planName, username, synced, iptvUsername, iptvPassword, ...entitlement }) => {
    const desired = desiredState({ ...entitlement, trialUntil: line?.trialUntil ?? null }, now, graceDays)
    const account = synced && iptvUsername && iptvPassword ? { username: iptvUsername, password: iptvPassword } : null
    return { now, userId, line, desired, planName, username, synced: account }
  })
}

/** Loads a customer with their line and its desired state now, by the database's clock. */
export async function loadSubscriber(db: Db | Tx, userId: number, graceDays: number): Promise<Subscriber> {
  const [subscriber] = await findSubscribers(db, graceDays, eq(users.id, userId))
  return subscriber!
}

/** Loads all customers who have a line or an active subscription. */
export const loadSubscribers = (db: Db | Tx, graceDays: number): Promise<Subscriber[]> =>
  findSubscribers(
    db,
    graceDays,
    sql`${lines.id} is not null or (${users.subscriptionStatus} = 'active' and ${users.subscriptionEndDate} > now())`,
  )
