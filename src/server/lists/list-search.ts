import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { parseIdSearch } from '#kit/text.ts'
import type { Db } from '../db/connect.ts'

/** Selects the rows whose user matches the search by username, email address, full name or line username; `column` contains a row's user id. */
export type OfUser = (column: PgColumn) => SQL | undefined

/** Whether `text`, which is in lower case, contains the search text literally, ignoring its case. Undefined without a search. */
export function contains(text: SQL | PgColumn, search: string | undefined): SQL | undefined {
  const term = search?.trim().toLowerCase()
  return term ? sql`${text} like ${`%${term.replace(/[\\%_]/g, '\\$&')}%`}` : undefined
}

/** Whether a search is too short for a trigram index. */
export const isShort = (search = '') => [...search.trim()].length < 3
/** `contains` for a text with both a trigram index and an index of `short_pieces`, which finds searches of one or two characters. */
export function containsIndexed(text: SQL | PgColumn, search: string | undefined): SQL | undefined {
  if (!search?.trim() || !isShort(search)) return contains(text, search)
  // Appending nothing hides the trigram index, which PostgreSQL would read as a whole. The cheap comparison still comes first for rows read one by one.
  const matches = contains(sql`(${text} || '')`, search)
  return sql`(${matches} and short_pieces(${text}) @> ${sql.param([search.trim().toLowerCase()])}::text[])`
}

const sampleRows = 4_000
const commonInSample = 100
/**
 * Whether a short search matches enough of the first users that its matches need not be collected. One or two characters often match a large
 * part of all users, and their index would return every one of them.
 */
async function isCommonInSample(db: Db, search: string | undefined): Promise<boolean> {
  const { rows } = await db.execute<{ matches: number }>(
    sql`select count(*)::int as matches
      from (select search from user_search limit ${sampleRows}) as sample where ${contains(sql`search`, search)}`,
  )
  return rows[0]!.matches >= commonInSample
}

/** Whether the search text of the user that `column` names contains `search`. */
function ofUserWith(column: PgColumn, search: string | undefined): SQL | undefined {
  const matches = contains(sql`found.search`, search)
  return matches && inArray(column, sql`(select found.user_id from user_search found where ${matches})`)
}

const fewUsers = 1_000
type FoundUsers = { isMany: boolean; perRow: OfUser; byJoin: OfUser }
export const noSearch: FoundUsers = { isMany: false, perRow: () => undefined, byJoin: () => undefined }

/**
 * The users that a search finds, as conditions on their rows. Few users: the rows with their ids. Many users: `perRow` tests the user of every row,
 * for reading a page, since most rows match; `byJoin` joins the users, for counting.
 */
export async function findUsers(db: Db, { search }: { search?: string | undefined }): Promise<FoundUsers> {
  const matches = containsIndexed(sql`search`, search)
  if (!matches) return noSearch
  const isCommon = isShort(search) && (await isCommonInSample(db, search))
  const { rows } = isCommon
    ? { rows: [] }
    : await db.execute<{ id: number }>(
        sql`select user_id as id from user_search where ${matches} limit ${fewUsers + 1}`,
      )
  const ids = sql.param(rows.map(({ id }) => id))
  const byId: OfUser = (column) => sql`${column} = any(${ids}::int[])`
  if (!isCommon && rows.length <= fewUsers) return { isMany: false, perRow: byId, byJoin: byId }
  // A scalar subquery: for an `exists`, PostgreSQL would collect all users first.
  const perRow: OfUser = (column) =>
    contains(sql`(select its.search from user_search its where its.user_id = ${column})`, search)
  return { isMany: true, perRow, byJoin: (column) => ofUserWith(column, search) }
}

/** Whether the search is the id of the row, as `#12`. */
export function hasId(column: PgColumn, search: string | undefined): SQL | undefined {
  const id = parseIdSearch(search ?? '')
  return id ? eq(column, id) : undefined
}
