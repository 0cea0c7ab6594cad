import { type SQL, sql } from 'drizzle-orm'
import type { Gauge } from 'prom-client'
import type { Db } from '#server/db/connect.ts'
import type { Metrics } from '#server/observability/metrics.ts'
import { batch } from '#server/overload/batch.ts'
import { isToReview } from './mailbox/status.ts'

/** The maximum number of rows that are counted per scrape. The rest are counted at the next scrape. */
const maxRows = 10_000

/** Adds the metrics of the payment desk: the payments and decisions since this process started, and the open payments. Each metric covers all processes. */
export function addPaymentMetrics(metrics: Metrics, db: Db): void {
  const follow = (name: string, help: string, labels: string[], from: FollowedTable) => {
    const counter = metrics.counter(name, help, labels, () => read().catch(() => undefined))
    const read = newRowReader(db, from, ({ seconds, ...row }) => counter.inc(row, Number(seconds ?? 1)))
  }
  follow('sauce_payments_recorded_total', 'Payments recorded, by rail and source', ['rail', 'source'], {
    rows: sql`select id, rail, source from payments`,
    last: sql`select max(id) as last from payments`,
  })
  follow(
    'sauce_payment_emails_total',
    'Emails of payment services, by signature, outcome and layout',
    ['auth', 'outcome', 'template'],
    {
      rows: sql`select id, auth, outcome, coalesce(template, '') as template from payment_mails`,
      last: sql`select max(id) as last from payment_mails`,
    },
  )
  follow('sauce_payment_decisions_total', 'Decisions about payments, by action and who decided', ['action', 'by'], {
    rows: sql`select id, action, ${decidedBy} as by
      from payment_decisions`,
    last: sql`select max(id) as last from payment_decisions`,
  })
  follow(
    'sauce_payment_emails_seconds_total',
    'Seconds between the arrival of emails that report a payment and reading them; emails of the last day only',
    [],
    {
      rows: sql`select id, case when outcome = 'payment' and received_at > read_at - interval '1 day'
        then greatest(0, extract(epoch from read_at - received_at)) else 0 end as seconds from payment_mails`,
      last: sql`select max(id) as last from payment_mails`,
    },
  )
  follow(
    'sauce_payment_decisions_seconds_total',
    'Seconds from recording payments until decisions about them',
    ['by'],
    {
      rows: sql`select id, ${decidedBy} as by, extract(epoch from d.created_at - (select c.created_at from payment_cases c where c.payment_id = d.payment_id)) as seconds
      from payment_decisions d`,
      last: sql`select max(id) as last from payment_decisions`,
    },
  )
  const show = <const T extends string>(
    name: string,
    help: string,
    labels: readonly T[],
    set: (gauge: Gauge<T>, now: Waiting) => void,
  ) =>
    metrics.gauge(name, help, labels, (gauge) =>
      waiting(db, 'now')
        .then((now) => set(gauge, now!))
        .catch(() => undefined),
    )
  show('sauce_payments_waiting', 'Payments that wait for a decision', ['ready'], (gauge, { ready, others }) => {
    gauge.set({ ready: 'true' }, ready)
    gauge.set({ ready: 'false' }, others)
  })
  show(
    'sauce_payments_oldest_seconds',
    'Age of the oldest payment that waits for a decision',
    [],
    (gauge, { oldest }) => gauge.set(oldest),
  )
  show('sauce_payment_emails_to_review', 'Emails of payment services that wait for review', [], (gauge, { toReview }) =>
    gauge.set(toReview),
  )
}

const decidedBy = sql`case when decided_by is not null then 'person' when action in ('confirm', 'link') then 'rule' else 'job' end`

/** Counts `rows`, or sums their column `seconds` if they have one. `last` selects the newest id. */
type FollowedTable = { rows: SQL; last: SQL }
type Labels = Record<string, string>

/**
 * Returns a function that reads the rows written since its last call, by their ids, and calls `each` with their labels. The first call starts after the newest
 * row. Each row is reported once, even if two scrapes overlap.
 */
function newRowReader(db: Db, { rows, last }: FollowedTable, each: (labels: Labels) => void): () => Promise<void> {
  const newest = async () => Number((await db.execute<{ last: string | null }>(last)).rows[0]!.last ?? 0)
  let after: number | undefined
  let running = Promise.resolve()
  const read = async () => {
    after ??= await newest()
    const found = await db.execute<Labels & { id: string }>(
      sql`${rows} where id > ${after} order by id limit ${maxRows}`,
    )
    for (const { id, ...labels } of found.rows) {
      after = Number(id)
      each(labels)
    }
  }
  const next = () => {
    running = running.catch(() => undefined).then(read)
    return running
  }
  next().catch(() => undefined)
  return next
}

type Waiting = { ready: number; others: number; oldest: number; toReview: number }
/** The gauges of a scrape share one statement. */
const waiting = batch(async (db: Db, keys: 'now'[]) => new Map([[keys[0]!, await readWaiting(db)]]))
async function readWaiting(db: Db): Promise<Waiting> {
  const { rows } = await db.execute<Waiting>(sql`
    select count(*) filter (where ready)::int as ready, count(*) filter (where not ready)::int as others,
      coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest,
      (select count(*)::int from payment_mails where ${isToReview}) as "toReview"
    from payment_cases where status = 'open'`)
  return rows[0]!
}
