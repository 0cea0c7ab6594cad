import { asc, count, desc, inArray, type SQL, sql } from 'drizzle-orm'
import type { Page } from '#kit/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { users } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import type { User, userSorts } from '../../contract.ts'
import { userView } from '../user-view.ts'

export type UserQuery = { page?: number; pageSize?: number; sort?: (typeof userSorts)[number]; order?: 'asc' | 'desc'; search?: string }

const sortings: Record<(typeof userSorts)[number], SQL[]> = {
  createdAt: [sql`${users.createdAt}`],
  username: [sql`lower(${users.username})`],
  email: [sql`lower(${users.email})`],
  role: [sql`${users.role}`, sql`lower(${users.username})`],
}

/** One page of all users, newest first unless asked otherwise; `search` is looked for literally in username and e-mail. */
export async function listUsers(
  db: Db,
  { page = 1, pageSize = limits.lists.default, sort = 'createdAt', order = sort === 'createdAt' ? 'desc' : 'asc', search = '' }: UserQuery,
): Promise<Page<User>> {
  const found = search === '' ? undefined : sql`search like '%' || ${search.toLowerCase().replace(/[\\%_]/g, '\\$&')} || '%'`
  const ordered = [...sortings[sort], sql`${users.id}`].map(order === 'asc' ? asc : desc)
  // Ids first: skipping to a far page reads the index alone, not every row on the way.
  const ids = db
    .select({ id: users.id })
    .from(users)
    .where(found)
    .orderBy(...ordered)
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  const [rows, [total]] = await Promise.all([
    db
      .select(userView)
      .from(users)
      .where(inArray(users.id, ids))
      .orderBy(...ordered),
    db.select({ total: count() }).from(users).where(found),
  ])
  return { rows, total: total!.total }
}
