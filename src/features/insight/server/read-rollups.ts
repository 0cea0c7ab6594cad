import { sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import type { Insight } from '../admin-contract.ts'
import { type ChurnReason, monthOf, type Range } from '../rules.ts'

/** The number of events of one figure in one bucket, and their cents. `day` is the first day of the bucket. */
export type BucketTotal = { day: string; figure: Figure; events: number; cents: number }
type Loss = { customers: number; mrrCents: number }

const number = (value: unknown): number => Number(value)

const figures = [
  'payment',
  'refund',
  'bonus',
  'discount',
  'new',
  'winback',
  'expansion',
  'contraction',
  'churn',
  'renewal',
  'trial',
  'trial_approved',
  'trial_paid',
] as const
export type Figure = (typeof figures)[number]

/** Returns the totals of a range by bucket and figure. `only`: the figures to include. */
export async function readBucketTotals(
  db: Db | Tx,
  { from, to }: Range,
  { unit, only = figures }: { unit: 'day' | 'month' | 'year'; only?: readonly Figure[] },
): Promise<BucketTotal[]> {
  const { rows } = await db.execute<Record<keyof BucketTotal, string>>(sql`
    select to_char(date_trunc(${unit}, day), 'YYYY-MM-DD') as day, figure, sum(events)::bigint as events, sum(cents)::bigint as cents
    from insight_days where figure in ${[...only]} and day between ${from}::date and ${to}::date group by 1, 2 order by 1`)
  return rows.map((row) => ({
    day: row.day,
    figure: row.figure as Figure,
    events: number(row.events),
    cents: number(row.cents),
  }))
}

/** Adds up the totals of a figure. */
export function sumOf(totals: BucketTotal[], figure: Figure): { events: number; cents: number } {
  const own = totals.filter((total) => total.figure === figure)
  return {
    events: own.reduce((sum, { events }) => sum + events, 0),
    cents: own.reduce((sum, { cents }) => sum + cents, 0),
  }
}

/** Returns subscribers and monthly recurring revenue at the end of the day before `day`: adds up the whole months before, and the days of its month. */
export async function readLevels(db: Db | Tx, day: string): Promise<{ subscribers: number; mrrCents: number }> {
  const month = monthOf(day)
  const { rows } = await db.execute<{ subscribers: string; cents: string }>(sql`
    select coalesce(sum(subscribers), 0)::bigint as subscribers, coalesce(sum(cents), 0)::bigint as cents from (
      select sum(subscribers) as subscribers, sum(mrr_cents) as cents from insight_months where month < ${month}::date
      union all
      select sum(case when figure in ('new', 'winback') then events when figure = 'churn' then -events else 0 end),
        sum(case when figure in ('new', 'winback', 'expansion') then cents when figure in ('churn', 'contraction') then -cents else 0 end)
      from insight_days where figure in ('new', 'winback', 'expansion', 'contraction', 'churn') and day >= ${month}::date and day < ${day}::date) parts`)
  return { subscribers: number(rows[0]!.subscribers), mrrCents: number(rows[0]!.cents) }
}

type PlanLoss = { planId: number; name: string; reason: ChurnReason } & Loss
/** Returns the customers lost in a range, by plan and reason. */
export async function readLosses(db: Db | Tx, { from, to }: Range): Promise<PlanLoss[]> {
  const { rows } = await db.execute<{
    planId: number
    name: string
    reason: ChurnReason
    events: string
    cents: string
  }>(
    sql`select d.plan_id as "planId", coalesce(p.name, 'Unknown plan') as name, d.reason, sum(d.events)::bigint as events, sum(d.cents)::bigint as cents
      from insight_days d left join plans p on p.id = d.plan_id
      where d.figure = 'churn' and d.day between ${from}::date and ${to}::date group by 1, 2, 3 having sum(d.events) > 0 order by 2, 1, 3`,
  )
  return rows.map(({ events, cents, ...row }) => ({ ...row, customers: number(events), mrrCents: number(cents) }))
}

/** Returns the customers lost in a range in total, by plan and by reason, the largest number first. */
export async function readChurn(db: Db | Tx, range: Range): Promise<Omit<Insight['churn'], 'sentence'>> {
  const losses = await readLosses(db, range)
  const total = addUp(losses)
  const byLoss = (one: Loss, other: Loss) => other.customers - one.customers || other.mrrCents - one.mrrCents
  return {
    ...total,
    plans: [...Map.groupBy(losses, ({ planId }) => planId)]
      .map(([planId, own]) => ({ planId, name: own[0]!.name, ...addUp(own) }))
      .sort(byLoss),
    reasons: [...Map.groupBy(losses, ({ reason }) => reason)]
      .map(([reason, own]) => ({ reason, ...addUp(own) }))
      .sort(byLoss),
  }
}

const addUp = (losses: Loss[]): Loss => ({
  customers: losses.reduce((sum, { customers }) => sum + customers, 0),
  mrrCents: losses.reduce((sum, { mrrCents }) => sum + mrrCents, 0),
})

/** Returns for every day of a range how many subscriptions end without a renewal, their monthly value, and how many are renewed. */
export async function readRenewals(db: Db | Tx, from: string, to: string): Promise<Insight['renewals']['days']> {
  const { rows } = await db.execute<{ day: string; open: string; cents: string; renewed: string }>(sql`
    select to_char(at, 'YYYY-MM-DD') as day, coalesce(sum(d.events) filter (where d.figure = 'churn'), 0)::bigint as open,
      coalesce(sum(d.cents) filter (where d.figure = 'churn'), 0)::bigint as cents,
      coalesce(sum(d.events) filter (where d.figure = 'renewal'), 0)::bigint as renewed
    from generate_series(${from}::date, ${to}::date, interval '1 day') as at
    left join insight_days d on d.day = at::date and d.figure in ('churn', 'renewal') group by at order by at`)
  return rows.map((row) => ({
    day: row.day,
    open: number(row.open),
    openCents: number(row.cents),
    renewed: number(row.renewed),
  }))
}
