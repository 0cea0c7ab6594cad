import { sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { unguarded } from '#server/session/session-guard.ts'
import type { Insight } from '../admin-contract.ts'
import { addDays, type Period, rangeBefore, rangeOf } from '../rules.ts'
import { bucketsFrom } from './buckets.ts'
import { readCohorts } from './read-cohorts.ts'
import { readBucketTotals, readChurn, readLevels, readRenewals, sumOf } from './read-rollups.ts'
import { refreshInsight } from './refresh-insight.ts'
import * as sentences from './sentences.ts'

/** The number of days in the renewal calendar, beginning today. */
const renewalDays = 30

/** Returns all figures of a period that ends today (UTC, database clock). They are read from rollups in one snapshot, after waiting changes were counted. */
export async function readInsight(db: Db, period: Period = '30d'): Promise<Insight> {
  const isBehind = await refreshInsight(db)
  return inSnapshot(db, async (tx) => {
    const today = await readToday(tx)
    const range = rangeOf(period, today)
    const [totals, before, levels, churn, cohorts] = [
      await readBucketTotals(tx, range, { unit: period === '12m' ? 'month' : 'day' }),
      await readBucketTotals(tx, rangeBefore(period, range), { unit: 'year', only: ['payment', 'refund'] }),
      await readLevels(tx, range.from),
      await readChurn(tx, range),
      await readCohorts(tx, today),
    ]
    const renewals = await readRenewals(tx, today, addDays(today, renewalDays - 1))
    const buckets = bucketsFrom(totals, levels, { period, range })
    const [received, refunded] = [sumOf(totals, 'payment'), sumOf(totals, 'refund')]
    const [receivedBefore, refundedBefore] = [sumOf(before, 'payment'), sumOf(before, 'refund')]
    const last = buckets.at(-1)!
    const gained = sumOf(totals, 'new').events + sumOf(totals, 'winback').events
    const revenue = {
      receivedCents: received.cents,
      refundedCents: refunded.cents,
      netCents: received.cents - refunded.cents,
      previousNetCents:
        receivedBefore.events + refundedBefore.events === 0 ? null : receivedBefore.cents - refundedBefore.cents,
      steps: buckets,
    }
    const bridge = {
      startCents: levels.mrrCents,
      newCents: sumOf(totals, 'new').cents,
      expansionCents: sumOf(totals, 'expansion').cents,
      winbackCents: sumOf(totals, 'winback').cents,
      contractionCents: sumOf(totals, 'contraction').cents,
      churnCents: sumOf(totals, 'churn').cents,
      endCents: last.mrrCents,
    }
    const subscribers = { start: levels.subscribers, end: last.subscribers, gained, lost: churn.customers }
    const trials = {
      requested: sumOf(totals, 'trial').events,
      approved: sumOf(totals, 'trial_approved').events,
      paid: sumOf(totals, 'trial_paid').events,
    }
    const referrals = { bonusCents: sumOf(totals, 'bonus').cents, discountCents: sumOf(totals, 'discount').cents }
    return {
      ...{ period, ...range, isBehind, subscribers },
      revenue: { ...revenue, sentence: sentences.revenue(period, revenue) },
      bridge: { ...bridge, sentence: sentences.bridge(period, bridge) },
      churn: { ...churn, sentence: sentences.churn(churn, subscribers) },
      trials: { ...trials, sentence: sentences.trials(trials) },
      renewals: { days: renewals, sentence: sentences.renewals(renewals) },
      referrals: { ...referrals, sentence: sentences.referrals(referrals, revenue.netCents) },
      cohorts: { rows: cohorts, sentence: sentences.cohorts(cohorts) },
    }
  })
}

/** Runs `read` on one snapshot, so that all figures are as of the same time. */
export const inSnapshot = <T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> =>
  unguarded(db).transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' })

/** Today in UTC by the database clock. */
export async function readToday(db: Db | Tx): Promise<string> {
  const { rows } = await db.execute<{ today: string }>(
    sql`select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as today`,
  )
  return rows[0]!.today
}
