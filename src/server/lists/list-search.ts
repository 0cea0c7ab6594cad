import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { parseIdSearch } from '#kit/text.ts'
import type { Db } from '../db/connect.ts'

/**
 * Returns a condition that selects the rows whose user matches the search by username, email address, full name or line username. `column` contains a row's
 * user id. Undefined without a search.
 */
export type OfUser = (column: PgColumn) => SQL | undefined

/** Returns the condition that `text`, which must be in lower case, literally contains the search text in any case. Undefined without a search. */
export function contains(text: SQL | PgColumn, search: string | undefined): SQL | undefined {
  const term = search?.trim().toLowerCase()
  return term ? sql`${text} like ${`%${term.replace(/[\\%_]/g, '\\$&')}%`}` : undefined
}

/** Whether a search is too short for a trigram index. */
export const isShort = (search = '') => [...search.trim()].length < 3
/** Like `contains`, for a text with a trigram index and an index on `short_pieces`. The latter is used for searches of one or two characters. */
export function containsIndexed(text: SQL | PgColumn, search: string | undefined): SQL | undefined {
  if (!search?.trim() || !isShort(search)) return contains(text, search)
  // Appending an empty string keeps PostgreSQL from using the trigram index, which it would read completely for such a short search. The `like` comes first,
  // because it is cheaper when rows are tested one by one.
  const matches = contains(sql`(${text} || '')`, search)
  return sql`(${matches} and short_pieces(${text}) @> ${sql.param([search.trim().toLowerCase()])}::text[])`
}

const sampleRows = 4_000
const commonInSample = 100
/**
 * Whether a short search matches many users in a sample. If so, the ids of all matches are not collected: one or two characters often match a large part
 * of all users, and the index would return every one of them.
 */
async function isCommonInSample(db: Db, search: string | undefined): Promise<boolean> {
  const { rows } = await db.execute<{ matches: number }>(
    sql`select count(*)::int as matches
      from (select search from user_search limit ${sampleRows}) as sample where ${contains(sql`search`, search)}`,
  )
  return rows[0]!.matches >= commonInSample
}

/** Returns the condition that the stored search text of the user whose id is in `column` contains `search`. Undefined without a search. */
function ofUserWith(column: PgColumn, search: string | undefined): SQL | undefined {
  const matches = contains(sql`found.search`, search)
  return matches && inArray(column, sql`(select found.user_id from user_search found where ${matches})`)
}

const fewUsers = 1_000
type FoundUsers = { isMany: boolean; perRow: OfUser; byJoin: OfUser }
export const noSearch: FoundUsers = { isMany: false, perRow: () => undefined, byJoin: () => undefined }

/**
 * Searches the users and returns conditions that select the rows of the users found. For up to 1,000 users, both conditions compare user ids. For more users
 * (`isMany`), `perRow` tests the user of each row, which is fast for reading a page because most rows match, and `byJoin` joins the users, which is fast for
 * counting.
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

/** Returns a condition that selects the row with the id in the search, such as `#12`. Undefined if the search is not an id. */
export function hasId(column: PgColumn, search: string | undefined): SQL | undefined {
  const id = parseIdSearch(search ?? '')
  return id ? eq(column, id) : undefined
}
