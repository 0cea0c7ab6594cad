import { eq, type SQL, sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { lines, users } from '#server/db/tables.ts'
import { type Wanted, wantedLine } from '../rules.ts'

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

// The segment that runs counts, whether or not the customer's row follows it yet, and not what a panel said of a synced account.
const running = (column: SQL) => sql<number | null>`(
  select ${column} from segments s where s.user_id = users.id and s.replaced_by is null and not s.withdrawn and s.starts_at <= now() order by s.starts_at desc limit 1)`
const planId = sql<
  number | null
>`case when users.plan_id is not null then coalesce(${running(sql`s.plan_id`)}, users.plan_id) end`

/** What is wanted of a customer's line hangs on this, within a query of users. */
export const wantedBy = {
  now: sql<string>`now()`.mapWith(users.createdAt),
  status: users.subscriptionStatus,
  endDate: users.subscriptionEndDate,
  planId,
  months: sql<number | null>`(select p.months from plans p where p.id = ${planId})`,
  connections: sql<
    number | null
  >`coalesce(${running(sql`s.connections`)}, (select p.connections from plans p where p.id = users.plan_id))`,
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
  standings(
    db,
    graceDays,
    sql`${lines.id} is not null or (${users.subscriptionStatus} = 'active' and ${users.subscriptionEndDate} > now())`,
  )
