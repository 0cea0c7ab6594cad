import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../db/connect.ts'

/** How many rows there are; `isMinimum` while the exact number is still being counted. */
export type Count = { total: number; isMinimum?: true }
type Counted = { total: number; countedAt: number; freshMs: number }

/** Up to here every answer waits for the exact number. */
export const exactCountLimit = 1_000
const freshMs = 10_000
/** What took long to count is counted again only after so many times as long: counting never takes more than a part of the machine. */
const restTimes = 20
const usableMs = 300_000
const kept = 200
const atOnce = 2

/** The rows of a table whose status is one of these (all without any): exact in every transaction, without reading the table. */
export const keptCount = (
  list: 'users' | 'invoices' | 'reports' | 'trial_requests' | 'inquiries' | 'mails',
  ...statuses: string[]
): SQL<number> => keptRows(list, statuses.length > 0 ? sql`status in ${statuses}` : undefined)

/** The same for any condition on `status` and `head` of `countedRows`. */
export const keptRows = (list: string, filter: SQL | undefined): SQL<number> =>
  sql`(select coalesce(sum(rows), 0)::int from ${countedRows(list, 0, filter)})`

/** What is counted of a list on one of its ways, 0 being the whole list: what was added up, and what has changed since. */
export function countedRows(list: string, way: number, filter: SQL | undefined): SQL {
  const of = sql`list = ${list}${filter ? sql` and ${filter}` : sql``}`
  const step = way === 0 ? sql`''` : sql`steps[${way}]`
  return sql`(
    select status, head, step, rows from row_counts where way = ${way} and ${of} union all
    select status, head, ${step} collate "C", rows from row_changes where ${of}) as counted`
}

/** Adds what `row_changes` has gathered to `row_counts`. Whoever reads meanwhile sees the same numbers before and after. */
export async function addUpCounts(db: Db | Tx): Promise<void> {
  await db.execute(sql`with gathered as (delete from row_changes returning *)
    insert into row_counts as kept
    select list, way, status, head, case way when 0 then '' else steps[way] end as step, sum(rows)
    from gathered, lateral generate_series(0, cardinality(steps)) as way group by 1, 2, 3, 4, 5 having sum(rows) <> 0 order by 1, 2, 3, 4, 5
    on conflict (list, way, status, head, step) do update set rows = kept.rows + excluded.rows`)
}

/** Counts of long searches, per process: exact when made, at most some seconds old when shown, and made by one query however many ask. */
export class Counts {
  readonly #known = new Map<string, Counted>()
  readonly #running = new Map<string, Promise<unknown>>()

  /** Counts `rows`, a query of one row each. More than a thousand are counted aside; until that is done the answer is a minimum. `isLong` says so beforehand. */
  async count(db: Db, rows: SQL, isLong = false): Promise<Count> {
    const { sql: text, params } = new PgDialect().sqlToQuery(rows)
    const key = JSON.stringify([text, params])
    const known = this.#known.get(key)
    const age = known ? performance.now() - known.countedAt : Number.POSITIVE_INFINITY
    const isFresh = known !== undefined && age <= known.freshMs
    if (!isFresh && !isLong) {
      const total = await totalOf(db, sql`${rows} limit ${exactCountLimit + 1}`)
      if (total <= exactCountLimit) return { total }
    }
    if (!isFresh) this.#countAside(db, key, rows)
    return known && age < usableMs ? { total: known.total } : { total: exactCountLimit, isMinimum: true }
  }

  #countAside(db: Db, key: string, rows: SQL): void {
    if (this.#running.has(key) || this.#running.size >= atOnce) return
    const started = performance.now()
    const counting = totalAside(db, rows)
      .then((total) => {
        this.#known.delete(key)
        const countedAt = performance.now()
        this.#known.set(key, {
          total,
          countedAt,
          freshMs: Math.min(usableMs, Math.max(freshMs, restTimes * (countedAt - started))),
        })
        for (const oldest of this.#known.keys()) if (this.#known.size > kept) this.#known.delete(oldest)
      })
      // Whoever asks next starts it again.
      .catch(() => undefined)
      .finally(() => this.#running.delete(key))
    this.#running.set(key, counting)
  }
}

/** One core is enough for a count nobody waits for. */
const totalAside = (db: Db, rows: SQL): Promise<number> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`set local max_parallel_workers_per_gather = 0`)
    return totalOf(tx, rows)
  })

async function totalOf(db: Db | Tx, rows: SQL): Promise<number> {
  const result = await db.execute<{ total: number }>(sql`select count(*)::int as total from (${rows}) counted`)
  return result.rows[0]!.total
}
