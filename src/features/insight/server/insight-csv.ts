import type { Db, Tx } from '#server/db/connect.ts'
import { type CsvColumns, csvColumns } from '#server/http/csv/csv.ts'
import type { AppContext } from '#server/http/route.ts'
import type { Insight } from '../admin-contract.ts'
import { addDays, bucketStarts, type ChurnReason, type Period, type Range, rangeOf, reasonNames } from '../rules.ts'
import { levelAfter } from './buckets.ts'
import { readCohorts } from './read-cohorts.ts'
import { inSnapshot, readToday } from './read-insight.ts'
import {
  type BucketTotal,
  type Figure,
  readBucketTotals,
  readLevels,
  readLosses,
  readRenewals,
  sumOf,
} from './read-rollups.ts'
import { refreshAllInsight } from './refresh-insight.ts'

type Day = { day: string; subscribers: number; mrrCents: number; totals: BucketTotal[] }
const events = (figure: Figure) => (row: Day) => sumOf(row.totals, figure).events
const cents = (figure: Figure) => (row: Day) => sumOf(row.totals, figure).cents

export const dayColumns: CsvColumns<Day> = csvColumns({ day: 'Day (UTC)', subscribers: 'Active subscribers' }, [
  'day',
  ['Received (cents)', cents('payment')],
  ['Refunded (cents)', cents('refund')],
  ['Net revenue (cents)', (row) => cents('payment')(row) - cents('refund')(row)],
  ['Payments', events('payment')],
  'subscribers',
  ['New subscribers', events('new')],
  ['Won back', events('winback')],
  ['Lost', events('churn')],
  ['Renewals', events('renewal')],
  ['MRR (cents)', (row) => row.mrrCents],
  ['New MRR (cents)', cents('new')],
  ['Expansion MRR (cents)', cents('expansion')],
  ['Won back MRR (cents)', cents('winback')],
  ['Contraction MRR (cents)', cents('contraction')],
  ['Churned MRR (cents)', cents('churn')],
  ['Referral bonuses (cents)', cents('bonus')],
  ['Referral discounts (cents)', cents('discount')],
])

export const trialColumns: CsvColumns<Day> = csvColumns({ day: 'Day of the first request (UTC)' }, [
  'day',
  ['Requested', events('trial')],
  ['Approved', events('trial_approved')],
  ['Paid', events('trial_paid')],
])

type Loss = { name: string; reason: ChurnReason; customers: number; mrrCents: number }
export const churnColumns: CsvColumns<Loss> = csvColumns(
  { name: 'Plan', customers: 'Lost customers', mrrCents: 'MRR (cents)' },
  ['name', ['Reason', ({ reason }) => reasonNames[reason]], 'customers', 'mrrCents'],
)

type Renewal = Insight['renewals']['days'][number]
export const renewalColumns: CsvColumns<Renewal> = csvColumns(
  { day: 'Day (UTC)', open: 'Not renewed', openCents: 'MRR not renewed (cents)', renewed: 'Renewed' },
  ['day', 'open', 'openCents', 'renewed'],
)

type CohortMonth = { month: string; customers: number; months: number; active: number | null }
export const cohortColumns: CsvColumns<CohortMonth> = csvColumns(
  { month: 'Month of first payment', customers: 'Customers', months: 'Months later', active: 'Active at its end' },
  ['month', 'customers', 'months', 'active'],
)

/** Returns a generator for a CSV export: counts all waiting changes, and then yields the rows of one snapshot as the only batch. */
const rowsOf = <Row>(read: (tx: Tx, range: Range, today: string) => Promise<Row[]>) =>
  async function* ({ db }: AppContext, { period = '30d' }: { period?: Period | undefined }): AsyncGenerator<Row[]> {
    await refreshAllInsight(db)
    yield await inSnapshot(db, async (tx) => {
      const today = await readToday(tx)
      return read(tx, rangeOf(period, today), today)
    })
  }

async function readDays(tx: Db | Tx, range: Range): Promise<Day[]> {
  const totals = Map.groupBy(await readBucketTotals(tx, range, { unit: 'day' }), ({ day }) => day)
  let level = await readLevels(tx, range.from)
  return bucketStarts('30d', range).map((day) => {
    const own = totals.get(day) ?? []
    level = levelAfter(level, own)
    return { day, ...level, totals: own }
  })
}

export const dayRows = rowsOf(readDays)
export const churnRows = rowsOf(readLosses)
export const renewalRows = rowsOf((tx, _range, today) => readRenewals(tx, today, addDays(today, 29)))
export const cohortRows = rowsOf(async (tx, _range, today) =>
  (await readCohorts(tx, today)).flatMap(({ month, customers, active }) =>
    active.map((count, months): CohortMonth => ({ month, customers, months, active: count })),
  ),
)
