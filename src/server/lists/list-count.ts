import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../db/connect.ts'
import type { CountedList } from './counted-lists.ts'

/** How many rows a list has; `isMinimum` while the exact number is still being counted. */
export type Count = { total: number; isMinimum?: true }
type CachedCount = { total: number; countedAt: number; freshMs: number }

/** Up to this number of rows, a request waits for the exact count. */
export const exactCountLimit = 1_000
const minimumFreshMs = 10_000
/** A count stays fresh this many times as long as counting took, so that counting uses only a small part of the processor time. */
const freshTimesDuration = 20
const usableMs = 300_000
const maxCachedCounts = 200
const concurrentCounts = 2

/**
 * Returns SQL for the number of rows in a counted list that have one of these statuses, or of all rows without `statuses`. It is exact in every transaction and
 * does not read the table.
 */
export const countedTotal = (list: CountedList, ...statuses: string[]): SQL<number> =>
  countedTotalWhere(list, statuses.length > 0 ? sql`status in ${statuses}` : undefined)

/** Like `countedTotal`, with any condition on the columns `status` and `head` of `countedRows`. */
export const countedTotalWhere = (list: CountedList, filter: SQL | undefined): SQL<number> =>
  sql`(select coalesce(sum(rows), 0)::int from ${countedRows(list, 0, filter)})`

/**
 * Returns a subquery with the counts of a list in the columns `status`, `head`, `bucket` and `rows`. It includes counts that are not added up yet, so `rows`
 * must be summed. `position` selects the buckets of a sort (`SortBuckets`); position 0 counts the whole list as a single bucket, ''.
 */
export function countedRows(list: CountedList, position: number, filter: SQL | undefined): SQL {
  const of = sql`list = ${list}${filter ? sql` and ${filter}` : sql``}`
  const bucket = position === 0 ? sql`''` : sql`steps[${position}]`
  return sql`(
    select status, head, step as bucket, rows from row_counts where way = ${position} and ${of} union all
    select status, head, ${bucket} collate "C", rows from row_changes where ${of}) as counted`
}

/** Moves the rows of `row_changes` into `row_counts`. Transactions that read at the same time see the same totals before and after. */
export async function addUpCounts(db: Db | Tx): Promise<void> {
  await db.execute(sql`with gathered as (delete from row_changes returning *)
    insert into row_counts as kept
    select list, way, status, head, case way when 0 then '' else steps[way] end as step, sum(rows)
    from gathered, lateral generate_series(0, cardinality(steps)) as way group by 1, 2, 3, 4, 5 having sum(rows) <> 0 order by 1, 2, 3, 4, 5
    on conflict (list, way, status, head, step) do update set rows = kept.rows + excluded.rows`)
}

/**
 * Counts the matches of searches and caches the counts in this process. A count is exact when it is made, and at most `usableMs` old when it is returned.
 * Concurrent requests for the same count share one background count.
 */
export class Counts {
  readonly #cached = new Map<string, CachedCount>()
  readonly #running = new Map<string, Promise<unknown>>()

  /**
   * Counts `rows`, a query that returns one row for each row of the list. More than `exactCountLimit` rows are counted in the background; until that is done,
   * the result is a minimum. `isLong`: counting is known to take long, so it runs in the background immediately.
   */
  async count(db: Db, rows: SQL, isLong = false): Promise<Count> {
    const { sql: text, params } = new PgDialect().sqlToQuery(rows)
    const key = JSON.stringify([text, params])
    const cached = this.#cached.get(key)
    const age = cached ? performance.now() - cached.countedAt : Number.POSITIVE_INFINITY
    const isFresh = cached !== undefined && age <= cached.freshMs
    // A running background count means that there are more rows than the limit.
    if (!isFresh && !isLong && !this.#running.has(key)) {
      const total = await totalOf(db, sql`${rows} limit ${exactCountLimit + 1}`)
      if (total <= exactCountLimit) return { total }
    }
    if (!isFresh) this.#countInBackground(db, key, rows)
    return cached && age < usableMs ? { total: cached.total } : { total: exactCountLimit, isMinimum: true }
  }

  #countInBackground(db: Db, key: string, rows: SQL): void {
    if (this.#running.has(key) || this.#running.size >= concurrentCounts) return
    const started = performance.now()
    const counting = totalOnOneCore(db, rows)
      .then((total) => {
        this.#cached.delete(key)
        const countedAt = performance.now()
        const freshMs = Math.min(usableMs, Math.max(minimumFreshMs, freshTimesDuration * (countedAt - started)))
        this.#cached.set(key, { total, countedAt, freshMs })
        for (const oldest of this.#cached.keys()) if (this.#cached.size > maxCachedCounts) this.#cached.delete(oldest)
      })
      // After a failure, the next request starts the count again.
      .catch(() => undefined)
      .finally(() => this.#running.delete(key))
    this.#running.set(key, counting)
  }
}

/** No request waits for a background count, so one core is enough for it. */
const totalOnOneCore = (db: Db, rows: SQL): Promise<number> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`set local max_parallel_workers_per_gather = 0`)
    return totalOf(tx, rows)
  })

async function totalOf(db: Db | Tx, rows: SQL): Promise<number> {
  const result = await db.execute<{ total: number }>(sql`select count(*)::int as total from (${rows}) counted`)
  return result.rows[0]!.total
}
