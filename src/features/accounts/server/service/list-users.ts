import { and, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { Page } from '#kit/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { users } from '#server/db/tables.ts'
import { sortBuckets } from '#server/lists/counted-lists.ts'
import { type List, readPage } from '#server/lists/list.ts'
import { countedTotal } from '#server/lists/list-count.ts'
import type { AdminUser, userListQuery, userSorts } from '../../admin-contract.ts'
import { adminUserView } from '../user-view.ts'

type Query = z.output<typeof userListQuery>

/** The condition for active subscriptions that end on a day in UTC. */
function activeUntil(day: string): SQL | undefined {
  const start = new Date(`${day}T00:00:00Z`)
  const end = new Date(start.getTime() + 86_400_000)
  return and(
    eq(users.subscriptionStatus, 'active'),
    gte(users.subscriptionEndDate, start.toISOString()),
    lt(users.subscriptionEndDate, end.toISOString()),
  )
}

export const userList: List<AdminUser, (typeof userSorts)[number], Query> = {
  table: users,
  sorts: {
    createdAt: [users.createdAt],
    username: [sql`lower(${users.username}) collate "C"`],
    email: [sql`lower(${users.email}) collate "C"`],
    role: [users.role, sql`lower(${users.username}) collate "C"`],
    subscriptionEndDate: [sql`coalesce(${users.subscriptionEndDate}, 'infinity')`],
  },
  buckets: {
    createdAt: sortBuckets('users', 'createdAt'),
    username: sortBuckets('users', 'username'),
    email: sortBuckets('users', 'email'),
    subscriptionEndDate: sortBuckets('users', 'subscriptionEndDate'),
    role: sortBuckets('users', 'username', 'head'),
  },
  bucketFilter: ({ search, status, endsOn }) => (search || endsOn ? undefined : { list: 'users', status }),
  where: ({ status, endsOn }, ofUser) =>
    and(ofUser(users.id), status && eq(users.subscriptionStatus, status), endsOn ? activeUntil(endsOn) : undefined),
  countedTotal: ({ search, status, endsOn }) =>
    search || endsOn ? undefined : countedTotal('users', ...(status ? [status] : [])),
  rows: (db, ids) => db.select(adminUserView).from(users).where(inArray(users.id, ids)),
}

/**
 * Returns one page of all users, newest first by default. `status` is the subscription status; `search` is matched literally against username,
 * email, full name and line username.
 */
export const listUsers = (db: Db, query: Query): Promise<Page<AdminUser>> => readPage(db, userList, query)
