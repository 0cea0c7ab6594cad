import { eq, sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { lines, users } from '#server/db/tables.ts'
import { type Wanted, wantedLine } from '../../rules.ts'

export type Line = typeof lines.$inferSelect
export type Standing = {
  now: Instant
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

/** A customer's line and what it should be now, by the database's clock. */
export async function standingOf(db: Db | Tx, userId: number, graceDays: number): Promise<Standing> {
  const [row] = await db
    .select({
      now: sql<string>`now()`.mapWith(users.createdAt),
      line: lines,
      status: users.subscriptionStatus,
      endDate: users.subscriptionEndDate,
      planId: users.planId,
      username: users.username,
      synced: users.iptvSynced,
      iptvUsername: users.iptvUsername,
      iptvPassword: users.iptvPassword,
      planName: sql<string | null>`(select p.name from plans p where p.id = users.plan_id)`,
      months: sql<number | null>`(select p.months from plans p where p.id = users.plan_id)`,
      connections: sql<number | null>`coalesce(${bought}, (select p.connections from plans p where p.id = users.plan_id))`,
    })
    .from(users)
    .leftJoin(lines, eq(lines.userId, users.id))
    .where(eq(users.id, userId))
  const { now, line, planName, username, synced, iptvUsername, iptvPassword, ...standing } = row!
  const wanted = wantedLine({ ...standing, trialUntil: line?.trialUntil ?? null }, now, graceDays)
  const account = synced && iptvUsername && iptvPassword ? { username: iptvUsername, password: iptvPassword } : null
  return { now, line, wanted, planName, username, synced: account }
}
