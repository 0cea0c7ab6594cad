import { and, asc, desc, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Page } from '#kit/endpoint.ts'
import type { Db } from '../db/connect.ts'
import { limits } from '../limits.ts'
import type { SortBuckets } from './counted-lists.ts'
import { type BucketFilter, pageStart } from './list-buckets.ts'
import { type Count, Counts, exactCountLimit } from './list-count.ts'
import { findUsers, noSearch, type OfUser } from './list-search.ts'

/** The query parameters that all lists have. Each list adds its own filters. */
export type ListQuery<Sort extends string = string> = {
  page?: number | undefined
  pageSize?: number | undefined
  sort?: Sort | undefined
  order?: 'asc' | 'desc' | undefined
  search?: string | undefined
}

/** An admin list: its sorts, its search and filters, and how its rows are read. docs/lists.md explains how a page is found. */
export type List<Row extends { id: number }, Sort extends string, Query extends ListQuery<Sort>> = {
  table: PgTable & { id: PgColumn }
  /** The keys of each sort; none may be null. The id is added as the last key. Each sort needs an index with these keys. The first sort is the default. */
  sorts: Record<Sort, (PgColumn | SQL)[]>
  /** Returns the condition for search and filters on columns of this table; other tables are in subqueries. `ofUser` searches the owners of the rows. */
  where: (query: Query, ofUser: OfUser) => SQL | undefined
  /** Returns the total from the list counters; undefined if they do not have it and the rows must be counted. */
  countedTotal?: (query: Query) => SQL<number> | undefined
  /** The buckets of each sort that has any. With buckets, a page in the middle is found as fast as the first page. */
  buckets?: Partial<Record<Sort, SortBuckets>>
  /** Returns which counters belong to the filtered list; undefined if the counters do not support the filter. */
  bucketFilter?: (query: Query) => BucketFilter | undefined
  /** Whether a search reads text without an index. If so, its matches are counted in the background, unless the whole list is short. */
  isUnindexed?: (query: Query) => boolean
  /** Reads the rows with these ids, in any order. */
  rows: (db: Db, ids: number[]) => Promise<Row[]>
}

const counts = new Counts()

/**
 * Reads one page of a list and the total number of rows. The ids are read first: skipping to a far page reads an index instead of rows, and starts at the
 * nearest end or bucket.
 */
export async function readPage<Row extends { id: number }, Sort extends string, Query extends ListQuery<Sort>>(
  db: Db,
  list: List<Row, Sort, Query>,
  query: Query,
): Promise<Page<Row>> {
  const { page = 1, pageSize = limits.lists.default } = query
  const found = await findUsers(db, query)
  const offset = (page - 1) * pageSize
  const known = list.countedTotal?.(query)
  const rows = sql`select from ${list.table}${whereOf(list.where(query, found.byJoin))}`
  const isScanned = found.isMany || (await isSlowSearch(db, list, query))
  const count = known ? await totalFrom(db, known) : await counts.count(db, rows, isScanned)
  const where = list.where(query, found.perRow)
  const { keys, isUp, ordered } = orderOf(list, query)
  // While the list is still being counted, there may be rows after the known end.
  const left = count.isMinimum ? pageSize : Math.max(0, Math.min(pageSize, count.total - offset))
  if (left === 0) return { rows: [], ...count }
  const start = count.isMinimum
    ? { isUp, skip: offset }
    : await pageStart(
        db,
        { before: isUp ? offset : count.total - offset - left, take: left, total: count.total },
        keys,
        list.buckets?.[query.sort ?? firstSort(list)],
        list.bucketFilter?.(query),
      )
  const idsFrom = async (from: PgTable | SQL, condition: SQL | undefined, order = ordered(start.isUp)) =>
    (
      await db.execute<{ id: number | string }>(
        sql`select ${from === list.table ? list.table.id : sql`id`} from ${from}${whereOf(and(condition, start.from))} order by ${commaList(order)} limit ${left} offset ${start.skip}`,
      )
    ).rows.map(({ id }) => ({ id: Number(id) }))
  const method = await searchMethod(db, list, query, {
    count,
    isCounted: known !== undefined,
    isScanned,
    wanted: start.skip + left,
  })
  let ids: { id: number }[]
  if ('test' in method) {
    const filters = list.where({ ...query, search: undefined }, noSearch.perRow)
    const tested = scanned(list.table, filters, keys, ordered(start.isUp), method.test)
    ids = await idsFrom(tested, where, candidateOrder(keys, start.isUp))
    // Too few of the tested rows match: search the whole list instead, by joining the users.
    if (ids.length < left) ids = await idsFrom(list.table, list.where(query, found.byJoin))
  } else if (method.isSorted) {
    ids = await idsFrom(unordered(list.table, where, keys), undefined, candidateOrder(keys, start.isUp))
  } else {
    ids = await idsFrom(list.table, where)
  }
  if (start.isUp !== isUp) ids.reverse()
  const shown = await inOrder(db, list, ids)
  if (!count.isMinimum) return { rows: shown, ...count }
  // A page that is not full is the last one.
  const isLast = ids.length < pageSize && (ids.length > 0 || offset === 0)
  return isLast
    ? { rows: shown, total: offset + ids.length }
    : { rows: shown, total: Math.max(count.total, offset + ids.length), isMinimum: true }
}

const maxTestedRows = 20_000
/** How many rows are tested while the number of matches is unknown. If one row in 250 matches, this is almost always enough for a page of ten. */
const testedBeforeCount = 4_000
/** More rows than expected are tested, by this factor, because matches may be rarer at the start of the list than in the whole list. */
const testedReserve = 4

/**
 * How the rows of a page are found. `test`: the first `test` rows of the list are tested in its order. `isSorted`: true if all matches are found first and then
 * sorted; false if PostgreSQL chooses the plan.
 */
type SearchMethod = { test: number } | { isSorted: boolean }

async function searchMethod<Row extends { id: number }, Sort extends string, Query extends ListQuery<Sort>>(
  db: Db,
  list: List<Row, Sort, Query>,
  query: Query,
  { count, isCounted, isScanned, wanted }: { count: Count; isCounted: boolean; isScanned: boolean; wanted: number },
): Promise<SearchMethod> {
  if (isScanned) return { test: maxTestedRows }
  if (isCounted) return { isSorted: false }
  if (!count.isMinimum && count.total <= exactCountLimit) return { isSorted: true }
  const rows = await rowsToTest(db, list, query, count, wanted)
  return rows > 0 ? { test: rows } : { isSorted: false }
}

/**
 * Returns how many rows of the list to test in its order until `wanted` rows match a common search. The indexes of a search would return all matches, which
 * would then have to be sorted. Returns 0 if too many rows would be tested or their number cannot be estimated; PostgreSQL then chooses the plan.
 */
async function rowsToTest<Row extends { id: number }, Sort extends string, Query extends ListQuery<Sort>>(
  db: Db,
  list: List<Row, Sort, Query>,
  query: Query,
  count: Count,
  wanted: number,
): Promise<number> {
  const all = query.search?.trim() ? list.countedTotal?.({ ...query, search: undefined }) : undefined
  if (!all) return 0
  if (count.isMinimum) return wanted <= limits.lists.default ? testedBeforeCount : 0
  const expected = Math.ceil((wanted * (await totalFrom(db, all)).total) / count.total)
  const tested = expected * testedReserve
  return tested <= maxTestedRows && expected < count.total ? tested : 0
}

/**
 * Returns a subquery with the first `max` rows in this order that match the filters. It has the name of the table, so that the search can test its rows. The
 * inner query reads only an index; the lateral subquery makes PostgreSQL read each row in that order and only when it is tested.
 */
const scanned = (
  table: List<{ id: number }, never, never>['table'],
  filters: SQL | undefined,
  keys: (SQL | PgColumn)[],
  order: SQL[],
  max: number,
): SQL => {
  const named = keys.map((key, n) => sql`${key} as ${nameOf(n)}`)
  return sql`(select ${commaList(named)} from ${table}${whereOf(filters)} order by ${commaList(order)} limit ${max}) as candidates
    cross join lateral (select * from ${table} where ${table.id} = candidates.${nameOf(keys.length - 1)} offset 0) as ${table}`
}
/**
 * Returns a subquery with the few rows that a search finds, without an order. `offset 0` keeps it separate from the outer query: if PostgreSQL planned the
 * search together with the order and a small limit, it would scan the whole list, because it overestimates how many rows match.
 */
const unordered = (table: PgTable & { id: PgColumn }, where: SQL | undefined, keys: (SQL | PgColumn)[]): SQL =>
  sql`(select ${table.id} as id, ${commaList(keys.map((key, n) => sql`${key} as ${nameOf(n)}`))} from ${table}${whereOf(where)} offset 0) as candidates`
const nameOf = (n: number) => sql.identifier(`k${n}`)
const candidateOrder = (keys: unknown[], isUp: boolean): SQL[] =>
  keys.map((_, n) => (isUp ? asc(sql`candidates.${nameOf(n)}`) : desc(sql`candidates.${nameOf(n)}`)))

/** A table with up to this many rows is searched without an index before the page is sent. In a longer table, the matches are counted in the background. */
const searchedWhileWaiting = 20_000
async function isSlowSearch<Row extends { id: number }, Sort extends string, Query extends ListQuery<Sort>>(
  db: Db,
  list: List<Row, Sort, Query>,
  query: Query,
) {
  const all = list.isUnindexed?.(query) ? list.countedTotal?.({} as Query) : undefined
  return all !== undefined && (await totalFrom(db, all)).total > searchedWhileWaiting
}

const totalFrom = async (db: Db, count: SQL<number>): Promise<Count> => ({
  total: (await db.execute<{ total: number }>(sql`select ${count} as total`)).rows[0]!.total,
})

const batchSize = 500

/** Yields all rows of a filtered and sorted list in batches, regardless of the page. Each batch starts after the last row of the previous batch. */
export async function* readAll<Row extends { id: number }, Sort extends string, Query extends ListQuery<Sort>>(
  db: Db,
  list: List<Row, Sort, Query>,
  query: Query,
): AsyncGenerator<Row[]> {
  const { keys, ordered, isUp } = orderOf(list, query)
  const where = list.where(query, (await findUsers(db, query)).perRow)
  let after: SQL | undefined
  for (;;) {
    const found = await db
      .select({ id: list.table.id, keys: sql<string[]>`array[${commaList(keys.map((key) => sql`${key}::text`))}]` })
      .from(list.table as PgTable)
      .where(sql.join([where ? sql`(${where})` : sql`true`, ...(after ? [after] : [])], sql` and `))
      .orderBy(...ordered(isUp))
      .limit(batchSize)
    if (found.length > 0) yield await inOrder(db, list, found as { id: number }[])
    if (found.length < batchSize) return
    const last = commaList(found.at(-1)!.keys.map((value) => sql`${value}`))
    after = isUp ? sql`(${commaList(keys)}) > (${last})` : sql`(${commaList(keys)}) < (${last})`
  }
}

const firstSort = <Sort extends string>({ sorts }: { sorts: Record<Sort, unknown> }) => Object.keys(sorts)[0] as Sort

function orderOf<Row extends { id: number }, Sort extends string, Query extends ListQuery<Sort>>(
  list: List<Row, Sort, Query>,
  { sort, order }: Query,
) {
  const first = firstSort(list)
  const isUp = (order ?? (sort && sort !== first ? 'asc' : 'desc')) === 'asc'
  const keys = [...list.sorts[sort ?? first], list.table.id]
  return { keys, isUp, ordered: (up: boolean) => keys.map((key) => (up ? asc(key) : desc(key))) }
}

async function inOrder<Row extends { id: number }, Sort extends string, Query extends ListQuery<Sort>>(
  db: Db,
  list: List<Row, Sort, Query>,
  ids: { id: number }[],
): Promise<Row[]> {
  if (ids.length === 0) return []
  const rows = await list.rows(
    db,
    ids.map(({ id }) => id),
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap(({ id }) => byId.get(id) ?? [])
}

const commaList = (parts: (SQL | PgColumn)[]) =>
  sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  )

const whereOf = (where: SQL | undefined): SQL => (where ? sql` where ${where}` : sql``)
