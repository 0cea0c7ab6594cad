import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { countedTotal } from '#server/lists/list-count.ts'
import { type DailyFigure, type Figures, figureDays } from '../../admin-overview-contract.ts'

const dayMs = 86_400_000
const weekMs = 7 * dayMs

/** Returns today's figures. `offset` is the number of minutes by which the administrator's clock is ahead of UTC. */
export async function readFigures(db: Db, offset: number): Promise<Figures> {
  const { rows: clock } = await db.execute<{ now: string }>(sql`select now() as now`)
  const now = new Date(clock[0]!.now)
  const today = startOfDay(now, offset)
  const from = new Date(today.getTime() - (figureDays - 1) * dayMs)
  // The same hours a week ago.
  const before = { from: new Date(today.getTime() - weekMs), to: new Date(now.getTime() - weekMs) }
  const past = { from, to: now, part: before }
  const nextWeek = { from: now, to: new Date(now.getTime() + weekMs) }
  const coming = { from: today, to: new Date(today.getTime() + figureDays * dayMs), part: nextWeek }
  const [collected, accounts, requested, ends, counts, moves] = await Promise.all([
    daily(db, { rows: sql`invoices where status = 'paid'`, at: sql`paid_at`, value: sql`sum(amount)` }, past),
    daily(db, { rows: sql`users where true`, at: sql`created_at` }, past),
    daily(db, { rows: sql`trial_requests where true`, at: sql`request_date` }, past),
    daily(db, { rows: sql`users where subscription_status = 'active'`, at: sql`subscription_end_date` }, coming),
    readCounts(db, today),
    readMoves(db, now),
  ])
  return {
    now: now.toISOString(),
    collected: compared(collected),
    accounts: compared(accounts),
    trials: { ...compared(requested), open: counts.trials },
    active: { count: counts.active, endedToday: counts.ended, days: levelsBefore(counts.active, moves) },
    renewals: { week: ends.part, today: ends.days[0]!, days: ends.days },
  }
}

/** Returns the last midnight of a clock that is `offset` minutes ahead of UTC. */
export function startOfDay(now: Date, offset: number): Date {
  const local = now.getTime() + offset * 60_000
  return new Date(local - (local % dayMs) - offset * 60_000)
}

type Source = { rows: SQL; at: SQL; value?: SQL }
type Span = { from: Date; to: Date }
/** `part` is a span between `from` and `to`. It is summed by the same query, so that the rows are read only once. */
type Period = Span & { part: Span }
type Days = { days: number[]; part: number }

const compared = ({ days, part }: Days): DailyFigure => ({ today: days.at(-1)!, before: part, days })

/** Returns one value for each day from `from` on, and one for `part`. The rows are read from an index on the time. */
async function daily(db: Db, { rows: source, at, value = sql`count(*)` }: Source, period: Period): Promise<Days> {
  const { from, to, part } = period
  const instant = (date: Date) => sql`${date.toISOString()}::timestamptz`
  const { rows } = await db.execute<{ day: number; value: string; part: string | null }>(sql`
    select floor(extract(epoch from ${at} - ${instant(from)}) / 86400)::int as day, ${value} as value,
      ${value} filter (where ${at} >= ${instant(part.from)} and ${at} < ${instant(part.to)}) as part
    from ${source} and ${at} >= ${instant(from)} and ${at} < ${instant(to)} group by 1`)
  const days = Array.from({ length: figureDays }, () => 0)
  for (const row of rows) days[row.day] = Number(row.value)
  return { days, part: rows.reduce((sum, row) => sum + Number(row.part ?? 0), 0) }
}

async function readCounts(db: Db, today: Date) {
  const { rows } = await db.execute<{ trials: number; active: number; ended: number }>(sql`
    select ${countedTotal('trial_requests', 'pending')} as trials, ${countedTotal('users', 'active')} as active,
      (select count(*)::int from audit_log where action = 'subscription.expire' and at >= ${today.toISOString()}::timestamptz) as ended`)
  return rows[0]!
}

/** Returns by how much the number of subscribers changed on each of the last `figureDays` days in UTC, from the daily sums of the business figures. */
async function readMoves(db: Db, now: Date): Promise<number[]> {
  const { rows } = await db.execute<{ ago: number; change: string }>(sql`
    select ${now.toISOString().slice(0, 10)}::date - day as ago, sum(case figure when 'churn' then -events else events end) as change
    from insight_days where figure in ('new', 'winback', 'churn')
      and day between ${now.toISOString().slice(0, 10)}::date - ${figureDays - 1}::int and ${now.toISOString().slice(0, 10)}::date
    group by day`)
  const moves = Array.from({ length: figureDays }, () => 0)
  for (const { ago, change } of rows) moves[figureDays - 1 - ago] = Number(change)
  return moves
}

/** Returns the number at the end of each day, computed from the current number and the change of each day. */
function levelsBefore(level: number, moves: number[]): number[] {
  const levels = [level]
  for (const move of moves.slice(1).reverse()) levels.unshift(levels[0]! - move)
  return levels
}
