import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Page } from '#kit/endpoint.ts'
import { parseIdSearch } from '#kit/text.ts'
import type { Db } from '../db/connect.ts'
import { limits } from '../limits.ts'
import { type BucketedList, pageStart, type SortBuckets } from './list-buckets.ts'
import { type Count, Counts, exactCountLimit } from './list-count.ts'

/** What every list is asked for; its own query adds filters to it. */
export type ListQuery<Sort extends string = string> = {
  page?: number | undefined
  pageSize?: number | undefined
  sort?: Sort | undefined
  order?: 'asc' | 'desc' | undefined
  search?: string | undefined
}

/** Selects rows of users whose user name, e-mail address, full name or line user name contains the search; `column` holds a row's user id. */
export type OfUser = (column: PgColumn) => SQL | undefined

/** A list for administrators: what it is ordered by, how it is narrowed down, and how the rows of a page are read. */
export type List<Row extends { id: number }, Sort extends string, Query extends ListQuery<Sort>> = {
  table: PgTable & { id: PgColumn }
  /** What each sort orders by, before the id; nothing of it may be null, and an index has the same. The first sort is the default, newest first. */
  sorts: Record<Sort, (PgColumn | SQL)[]>
  /** The search and the filters, on the table alone: other tables are asked in subqueries. `ofUser` finds by the names and the e-mail address of users. */
  where: (asked: Query, ofUser: OfUser) => SQL | undefined
  /** How many rows there are where `row_counts` knows it; undefined where they have to be counted. */
  keptCount?: (asked: Query) => SQL<number> | undefined
  /** The sorts whose steps `row_counts` knows, so that a page in the middle is as near as the first. */
  ways?: Partial<Record<Sort, SortBuckets>>
  /** The steps of the list as filtered; undefined where there are none. */
  stepped?: (asked: Query) => BucketedList | undefined
  /** Whether a search looks for something in text that has no index for it: then nobody waits for its count, unless the list is short anyway. */
  isUnindexed?: (asked: Query) => boolean
  /** The rows with these ids, in any order. */
  rows: (db: Db, ids: number[]) => Promise<Row[]>
}

const counts = new Counts()

/**
 * One page of a list and how many rows there are on all. Ids first: skipping to a far page reads an index, not the rows on the way,
 * and a page is reached from the nearest start there is.
 */
export async function readPage<Row extends { id: number }, Sort extends string, Query extends ListQuery<Sort>>(
  db: Db,
  list: List<Row, Sort, Query>,
  asked: Query,
): Promise<Page<Row>> {
  const { page = 1, pageSize = limits.lists.default } = asked
  const people = await findUsers(db, asked)
  const offset = (page - 1) * pageSize
  const known = list.keptCount?.(asked)
  const rows = sql`select from ${list.table}${whereOf(list.where(asked, people.joined))}`
  const isWalked = people.isMany || (await isLong(db, list, asked))
  const count = known ? await keptTotal(db, known) : await counts.count(db, rows, isWalked)
  const where = list.where(asked, people.each)
  const { keys, isUp, ordered } = orderOf(list, asked)
  // Behind the known end of a list that is still being counted there may be more.
  const left = count.isMinimum ? pageSize : Math.max(0, Math.min(pageSize, count.total - offset))
  if (left === 0) return { rows: [], ...count }
  const start = count.isMinimum
    ? { isUp, skip: offset }
    : await pageStart(
        db,
        { before: isUp ? offset : count.total - offset - left, take: left, total: count.total },
        keys,
        list.ways?.[asked.sort ?? firstSort(list)],
        list.stepped?.(asked),
      )
  const idsFrom = async (from: PgTable | SQL, condition: SQL | undefined, order = ordered(start.isUp)) =>
    (
      await db.execute<{ id: number | string }>(
        sql`select ${from === list.table ? list.table.id : sql`id`} from ${from}${whereOf(and(condition, start.from))} order by ${joined(order)} limit ${left} offset ${start.skip}`,
      )
    ).rows.map(({ id }) => ({ id: Number(id) }))
  const isFew = !known && !count.isMinimum && count.total <= exactCountLimit
  let ids = isWalked
    ? await idsFrom(
        walked(list.table, list.where({ ...asked, search: undefined }, nobody.each), keys, ordered(start.isUp)),
        where,
        walkedOrder(keys, start.isUp),
      )
    : isFew
      ? await idsFrom(gathered(list.table, where, keys), undefined, walkedOrder(keys, start.isUp))
      : await idsFrom(list.table, where)
  // Too few of the rows walked are right: the others are found from the users' side.
  if (isWalked && ids.length < left) ids = await idsFrom(list.table, list.where(asked, people.joined))
  if (start.isUp !== isUp) ids.reverse()
  const shown = await inOrder(db, list, ids)
  if (!count.isMinimum) return { rows: shown, ...count }
  // A page that is not full is the last one.
  const isLast = ids.length < pageSize && (ids.length > 0 || offset === 0)
  return isLast
    ? { rows: shown, total: offset + ids.length }
    : { rows: shown, total: Math.max(count.total, offset + ids.length), isMinimum: true }
}

const walkedMost = 20_000
/**
 * The first rows in this order that the filters let through, under the table's own name. An index alone says which; each row is read when it is its turn
 * and not before, which the lateral subquery keeps PostgreSQL from changing.
 */
const walked = (
  table: List<{ id: number }, never, never>['table'],
  filters: SQL | undefined,
  keys: (SQL | PgColumn)[],
  order: SQL[],
): SQL => {
  const named = keys.map((key, n) => sql`${key} as ${nameOf(n)}`)
  return sql`(select ${joined(named)} from ${table}${whereOf(filters)} order by ${joined(order)} limit ${walkedMost}) as walked
    cross join lateral (select * from ${table} where ${table.id} = walked.${nameOf(keys.length - 1)} offset 0) as ${table}`
}
/**
 * The few rows that a search finds, without an order: planned together with the order and a small limit, PostgreSQL would walk the whole list
 * for rows that it believes to be many.
 */
const gathered = (table: PgTable & { id: PgColumn }, where: SQL | undefined, keys: (SQL | PgColumn)[]): SQL =>
  sql`(select ${table.id} as id, ${joined(keys.map((key, n) => sql`${key} as ${nameOf(n)}`))} from ${table}${whereOf(where)} offset 0) as walked`
const nameOf = (n: number) => sql.identifier(`k${n}`)
const walkedOrder = (keys: unknown[], isUp: boolean): SQL[] =>
  keys.map((_, n) => (isUp ? asc(sql`walked.${nameOf(n)}`) : desc(sql`walked.${nameOf(n)}`)))

const readAtOnce = 20_000
async function isLong<Row extends { id: number }, Sort extends string, Query extends ListQuery<Sort>>(
  db: Db,
  list: List<Row, Sort, Query>,
  asked: Query,
) {
  const all = list.isUnindexed?.(asked) ? list.keptCount?.({} as Query) : undefined
  return all !== undefined && (await keptTotal(db, all)).total > readAtOnce
}

const keptTotal = async (db: Db, count: SQL<number>): Promise<Count> => ({
  total: (await db.execute<{ total: number }>(sql`select ${count} as total`)).rows[0]!.total,
})

const batchSize = 500

/** All rows of a list as asked, whatever the page, some hundred at a time: each batch goes on behind the last row of the one before. */
export async function* readAll<Row extends { id: number }, Sort extends string, Query extends ListQuery<Sort>>(
  db: Db,
  list: List<Row, Sort, Query>,
  asked: Query,
): AsyncGenerator<Row[]> {
  const { keys, ordered, isUp } = orderOf(list, asked)
  const where = list.where(asked, (await findUsers(db, asked)).each)
  let behind: SQL | undefined
  for (;;) {
    const found = await db
      .select({ id: list.table.id, keys: sql<string[]>`array[${joined(keys.map((key) => sql`${key}::text`))}]` })
      .from(list.table as PgTable)
      .where(sql.join([where ? sql`(${where})` : sql`true`, ...(behind ? [behind] : [])], sql` and `))
      .orderBy(...ordered(isUp))
      .limit(batchSize)
    if (found.length > 0) yield await inOrder(db, list, found as { id: number }[])
    if (found.length < batchSize) return
    const last = joined(found.at(-1)!.keys.map((value) => sql`${value}`))
    behind = isUp ? sql`(${joined(keys)}) > (${last})` : sql`(${joined(keys)}) < (${last})`
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

const joined = (parts: (SQL | PgColumn)[]) =>
  sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  )

/** Whether `text`, which is in lower case, holds what is searched for: literally, in any case. Undefined when nothing is searched for. */
export function contains(text: SQL | PgColumn, search: string | undefined): SQL | undefined {
  const term = search?.trim().toLowerCase()
  return term ? sql`${text} like ${`%${term.replace(/[\\%_]/g, '\\$&')}%`}` : undefined
}

/** Whether the index of three letters cannot find it. */
export const isShort = (search = '') => [...search.trim()].length < 3
/** The same of a text that has both indexes: one of three letters, and one of `short_pieces`, without which one or two letters are looked for in every row. */
export function containsIndexed(text: SQL | PgColumn, search: string | undefined): SQL | undefined {
  const found = contains(text, search)
  return found && isShort(search)
    ? sql`(${found} and short_pieces(${text}) @> ${sql.param([search!.trim().toLowerCase()])}::text[])`
    : found
}

/** Whether the search text of the user that `column` names contains `search`. */
function ofUserWith(column: PgColumn, search: string | undefined): SQL | undefined {
  const found = contains(sql`found.search`, search)
  return found && inArray(column, sql`(select found.user_id from user_search found where ${found})`)
}

const few = 1_000
type People = { isMany: boolean; each: OfUser; joined: OfUser }
const nobody: People = { isMany: false, each: () => undefined, joined: () => undefined }

/**
 * The users a search finds, in the forms that suit it. Few: their ids lead to the rows. Many: a page asks for the user row by row, since most rows
 * it meets belong; counting joins.
 */
async function findUsers(db: Db, { search }: ListQuery): Promise<People> {
  const found = containsIndexed(sql`search`, search)
  if (!found) return nobody
  const { rows } = await db.execute<{ id: number }>(
    sql`select user_id as id from user_search where ${found} limit ${few + 1}`,
  )
  const ids = sql.param(rows.map(({ id }) => id))
  const one: OfUser = (column) => sql`${column} = any(${ids}::int[])`
  if (rows.length <= few) return { isMany: false, each: one, joined: one }
  // A scalar subquery: PostgreSQL would answer an `exists` by collecting all users first.
  const each: OfUser = (column) =>
    contains(sql`(select its.search from user_search its where its.user_id = ${column})`, search)
  return { isMany: true, each, joined: (column) => ofUserWith(column, search) }
}

const whereOf = (where: SQL | undefined): SQL => (where ? sql` where ${where}` : sql``)

/** Whether the row is the one searched for as `#12`. */
export function hasId(column: PgColumn, search: string | undefined): SQL | undefined {
  const id = parseIdSearch(search ?? '')
  return id ? eq(column, id) : undefined
}
