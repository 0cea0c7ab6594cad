import { eq, type SQL, sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { lines, users } from '#server/db/tables.ts'
import { type Wanted, wantedLine } from '../../rules.ts'

export type Line = typeof lines.$inferSelect
export type Standing = {
  now: Instant
  userId: number
  line: Line | null
  wanted: Wanted
  planName: string | null
  username: string
  /** The account the customer entered by hand and the panel accepted. */
  synced: { username: string; password: string } | null
}

// What was bought counts, not what a panel said of an account that somebody synced.
const bought = sql`(
  select a.connections from activations a where a.user_id = users.id and a.plan_id = users.plan_id and a.kind <> 'grant' and a.reversed_at is null
  order by a.id desc limit 1)`

/** What is wanted of a customer's line hangs on this, within a query of users. */
export const wantedBy = {
  now: sql<string>`now()`.mapWith(users.createdAt),
  status: users.subscriptionStatus,
  endDate: users.subscriptionEndDate,
  planId: users.planId,
  months: sql<number | null>`(select p.months from plans p where p.id = users.plan_id)`,
  connections: sql<number | null>`coalesce(${bought}, (select p.connections from plans p where p.id = users.plan_id))`,
}

async function standings(db: Db | Tx, graceDays: number, where: SQL): Promise<Standing[]> {
  const rows = await db
    .select({
      ...wantedBy,
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
  return rows.map(({ now, userId, line, planName, username, synced, iptvUsername, iptvPassword, ...standing }) => {
    const wanted = wantedLine({ ...standing, trialUntil: line?.trialUntil ?? null }, now, graceDays)
    const account = synced && iptvUsername && iptvPassword ? { username: iptvUsername, password: iptvPassword } : null
    return { now, userId, line, wanted, planName, username, synced: account }
  })
}

/** A customer's line and what it should be now, by the database's clock. */
export async function standingOf(db: Db | Tx, userId: number, graceDays: number): Promise<Standing> {
  const [standing] = await standings(db, graceDays, eq(users.id, userId))
  return standing!
}

/** Everybody who has a line here, or should have one. */
export const everyStanding = (db: Db | Tx, graceDays: number): Promise<Standing[]> =>
  standings(db, graceDays, sql`${lines.id} is not null or (${users.subscriptionStatus} = 'active' and ${users.subscriptionEndDate} > now())`)
