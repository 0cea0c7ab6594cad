import { and, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../db/connect.ts'
import { countedRows } from './list-count.ts'

/** A step as `row_counts` has it: what is filtered by, what the way begins with, and how far along it is. */
type Step = { status: string; head: string; step: string }
/** The way through a list in the order of one of its sorts. */
export type SortBuckets = {
  /** Its number in `row_counts`, from 1. */
  way: number
  /** What of a step comes before the step itself in this order. */
  first?: 'status' | 'head'
  /** The least keys of a step, as many of the sort's (and then the id) as there are steps for. */
  begin: (step: Step) => (SQL | string | number)[]
}
/** Which rows of `row_counts` are of the list as filtered: its name, the one status if there is one, and any other condition on `status` and `head`. */
export type BucketedList = { list: string; status?: string | undefined; filter?: SQL | undefined }

/** From where a page is walked to, which way, and how many rows are skipped before it. */
export type PageStart = { from?: SQL; isUp: boolean; skip: number }

/** So few rows are skipped faster than steps are read. */
const near = 2_000

/**
 * The nearest start for `take` rows behind the first `before` of `total`, in ascending order: an end of the list, or a step on the way.
 * `way` and `stepped` are of a list with this sort and filter, if it has steps.
 */
export async function pageStart(
  db: Db,
  { before, take, total }: { before: number; take: number; total: number },
  keys: (PgColumn | SQL)[],
  way: SortBuckets | undefined,
  stepped: BucketedList | undefined,
): Promise<PageStart> {
  const starts: PageStart[] = [
    { isUp: true, skip: before },
    { isUp: false, skip: total - before - take },
  ]
  if (way && stepped && starts.every(({ skip }) => skip > near))
    starts.push(...(await stepsAround(db, before, take, keys, way, stepped)))
  return starts.reduce((best, start) => (start.skip < best.skip ? start : best))
}

async function stepsAround(
  db: Db,
  before: number,
  take: number,
  keys: (PgColumn | SQL)[],
  way: SortBuckets,
  { list, status, filter }: BucketedList,
): Promise<PageStart[]> {
  const first =
    way.first === 'status' ? sql`status collate "C"` : way.first === 'head' ? sql`head collate "C"` : sql`''`
  const { rows } = await db.execute<Step & { before: number }>(sql`
    with steps as materialized (
      select ${first} as first, step, sum(rows) as rows from ${countedRows(list, way.way, and(status === undefined ? undefined : sql`status = ${status}`, filter))} group by 1, 2 having sum(rows) <> 0
    ), placed as materialized (
      select first as status, first as head, step, (sum(rows) over (order by first, step) - rows)::int as before from steps
    )
    (select * from placed where before <= ${before} order by before desc limit 1) union all
    (select * from placed where before >= ${before + take} order by before limit 1)`)
  return rows.map((step) => {
    const isUp = step.before <= before
    const begin = way.begin(step)
    // What the filter says already is not said again: with it the index that begins with the status would not be taken.
    const said = status !== undefined && way.first === 'status' ? 1 : 0
    const key = sql`(${joined(keys.slice(said, begin.length))})`
    const bound = sql`(${joined(begin.slice(said).map((value) => sql`${value}`))})`
    return {
      from: isUp ? sql`${key} >= ${bound}` : sql`${key} < ${bound}`,
      isUp,
      skip: isUp ? before - step.before : step.before - before - take,
    }
  })
}

const joined = (parts: (SQL | PgColumn)[]) =>
  sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  )

/** When the week of a step begins. */
export const weekOf = (step: string): SQL => sql`${step}::date::timestamp at time zone 'UTC'`
/** The first way of most lists, by a moment, whose steps are weeks; `first` is what it is ordered by before the moment. */
export const byWeek = (first?: 'status'): SortBuckets => ({
  way: 1,
  ...(first && { first }),
  begin: ({ status, step }) => [...(first ? [status] : []), weekOf(step)],
})
