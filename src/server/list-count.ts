import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Db } from './db/connect.ts'

/** How many rows there are; `isMinimum` while the exact number is still being counted. */
export type Count = { total: number; isMinimum?: true }
type Counted = { total: number; countedAt: number }

/** Up to here every answer waits for the exact number. */
const quickly = 1_000
const freshMs = 10_000
const usableMs = 300_000
const kept = 200
const atOnce = 2

/** The rows of a table whose status is one of these (all without any), as `row_counts` keeps them: exact in every transaction, without reading the table. */
export const keptCount = (list: 'users' | 'invoices' | 'reports' | 'trial_requests' | 'inquiries' | 'mails', ...statuses: string[]): SQL<number> =>
  keptRows(list, statuses.length > 0 ? sql`status in ${statuses}` : undefined)

/** The same for any condition on `status` and `head` of `row_counts`. */
export const keptRows = (list: string, filter: SQL | undefined): SQL<number> =>
  sql`(select coalesce(sum(rows), 0)::int from row_counts where list = ${list} and sort = ''${filter ? sql` and ${filter}` : sql``})`

/** Adds up what `row_counts` has gathered, wherever there is more than one row of a kind. Whoever reads meanwhile sees the same numbers before and after. */
export async function addUpCounts(db: Db): Promise<void> {
  await db.execute(sql`with gathering as (
      select list, sort, status, head, step from row_counts group by 1, 2, 3, 4, 5 having count(*) > 1 or sum(rows) = 0
    ), gathered as (
      delete from row_counts r using gathering g
      where (r.list, r.sort, r.status, r.head, r.step) = (g.list, g.sort, g.status, g.head, g.step) returning r.*
    )
    insert into row_counts (list, sort, status, head, step, rows)
    select list, sort, status, head, step, sum(rows) from gathered group by 1, 2, 3, 4, 5 having sum(rows) <> 0`)
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
    if (age > freshMs && !isLong) {
      const total = await totalOf(db, sql`${rows} limit ${quickly + 1}`)
      if (total <= quickly) return { total }
    }
    if (age > freshMs) this.#countAside(db, key, rows)
    return known && age < usableMs ? { total: known.total } : { total: quickly, isMinimum: true }
  }

  #countAside(db: Db, key: string, rows: SQL): void {
    if (this.#running.has(key) || this.#running.size >= atOnce) return
    const counting = totalOf(db, rows)
      .then((total) => {
        this.#known.delete(key)
        this.#known.set(key, { total, countedAt: performance.now() })
        for (const oldest of this.#known.keys()) if (this.#known.size > kept) this.#known.delete(oldest)
      })
      // Whoever asks next starts it again.
      .catch(() => undefined)
      .finally(() => this.#running.delete(key))
    this.#running.set(key, counting)
  }
}

async function totalOf(db: Db, rows: SQL): Promise<number> {
  const result = await db.execute<{ total: number }>(sql`select count(*)::int as total from (${rows}) counted`)
  return result.rows[0]!.total
}
