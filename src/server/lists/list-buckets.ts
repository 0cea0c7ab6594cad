import { and, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../db/connect.ts'
import type { CountedList, SortBuckets } from './counted-lists.ts'
import { countedRows } from './list-count.ts'

/**
 * Selects the rows of `row_counts` that belong to a filtered list: its table, its status if it is filtered by a single one, and any other condition on `status`
 * and `head`.
 */
export type BucketFilter = { list: CountedList; status?: string | undefined; filter?: SQL | undefined }

/**
 * Where reading a page starts. `from` is a condition on the sort keys; without it, reading starts at an end of the list. Rows are read in ascending order if
 * `isUp`, otherwise in descending order. The first `skip` rows are skipped.
 */
export type PageStart = { from?: SQL; isUp: boolean; skip: number }

/** Up to this many rows are skipped one by one, which is faster than reading the buckets. */
const skippedWithoutBuckets = 2_000

/**
 * Returns the nearest start from which to read `take` rows, which follow the first `before` of `total` rows in ascending order. A start is an end of the list
 * or the beginning of a bucket. `keys` are the sort keys. `buckets` and `filter` must belong to the same sort and filter as the rows; if one is missing, only
 * the ends are considered.
 */
export async function pageStart(
  db: Db,
  { before, take, total }: { before: number; take: number; total: number },
  keys: (PgColumn | SQL)[],
  buckets: SortBuckets | undefined,
  filter: BucketFilter | undefined,
): Promise<PageStart> {
  const starts: PageStart[] = [
    { isUp: true, skip: before },
    { isUp: false, skip: total - before - take },
  ]
  if (buckets && filter && starts.every(({ skip }) => skip > skippedWithoutBuckets))
    starts.push(...(await bucketStarts(db, before, take, keys, buckets, filter)))
  return starts.reduce((best, start) => (start.skip < best.skip ? start : best))
}

/** Returns the beginning of the last bucket before the page, and of the first bucket after it. */
async function bucketStarts(
  db: Db,
  before: number,
  take: number,
  keys: (PgColumn | SQL)[],
  { position, first, begin }: SortBuckets,
  { list, status, filter }: BucketFilter,
): Promise<PageStart[]> {
  const firstKey = first === undefined ? sql`''` : sql`${sql.identifier(first)} collate "C"`
  const counted = countedRows(list, position, and(status === undefined ? undefined : sql`status = ${status}`, filter))
  const { rows } = await db.execute<{ first: string; bucket: string; before: number }>(sql`
    with buckets as materialized (
      select ${firstKey} as first, bucket, sum(rows) as rows from ${counted} group by 1, 2 having sum(rows) <> 0
    ), placed as materialized (
      select first, bucket, (sum(rows) over (order by first, bucket) - rows)::int as before from buckets
    )
    (select * from placed where before <= ${before} order by before desc limit 1) union all
    (select * from placed where before >= ${before + take} order by before limit 1)`)
  return rows.map((row) => {
    const isUp = row.before <= before
    const lowest = first === undefined ? begin(row.bucket) : [row.first, ...begin(row.bucket)]
    // The list is already filtered by the status; comparing it again would keep PostgreSQL from using the index that begins with the status.
    const known = status !== undefined && first === 'status' ? 1 : 0
    const key = sql`(${commaList(keys.slice(known, lowest.length))})`
    const bound = sql`(${commaList(lowest.slice(known).map((value) => sql`${value}`))})`
    return {
      from: isUp ? sql`${key} >= ${bound}` : sql`${key} < ${bound}`,
      isUp,
      skip: isUp ? before - row.before : row.before - before - take,
    }
  })
}

const commaList = (parts: (SQL | PgColumn)[]) =>
  sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  )
