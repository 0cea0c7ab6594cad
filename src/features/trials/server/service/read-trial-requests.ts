import { and, asc, count, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Page } from '#kit/endpoint.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { trialRequests, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { open } from '#server/secret.ts'
import type { AdminTrialRequest, TrialRequest, TrialStatus, trialSorts } from '../../contract.ts'

/** The encryption key, asked for only when there is something to open. */
export type Key = () => Buffer

/** Where a trial's password is kept: sealed for one row, it opens in no other. */
export const passwordPlace = (requestId: number): string => `trial_requests:${requestId}:trial_password`

const { id, userId, requestDate, status, device, message, responseDate, trialUsername, trialPassword, trialServer, expiryDate, adminNotes } =
  getTableColumns(trialRequests)
const ifRunning = (column: PgColumn) => sql<string | null>`case when ${status} = 'approved' and ${expiryDate} > now() then ${column} end`
/** What the owner may see; the database decides by its own clock. The password is still sealed. */
export const ownView = {
  id,
  userId,
  requestDate,
  status,
  device,
  message,
  responseDate,
  trialUsername: ifRunning(trialUsername),
  trialPassword: ifRunning(trialPassword),
  trialServer: ifRunning(trialServer),
  expiryDate: sql<string | null>`case when ${status} = 'approved' then ${expiryDate} end`.mapWith(expiryDate),
  adminNotes: sql<string | null>`case when ${status} = 'denied' then ${adminNotes} end`,
}

/** A customer's trial requests, newest first. Throws when a password was sealed for another row or with another key. */
export async function listTrialRequests(db: Db, ownerId: number, key: Key): Promise<TrialRequest[]> {
  const rows = await db.select(ownView).from(trialRequests).where(eq(userId, ownerId)).orderBy(desc(requestDate), desc(id)).limit(limits.lists.default)
  return rows.map((row) => opened(row, key))
}

const sameMailbox = sql<string[]>`array(
  select other.username from users other
  where other.mailbox = users.mailbox and other.id <> users.id and exists (select 1 from trial_requests theirs where theirs.user_id = other.id)
  order by other.id limit 20)`
const adminView = { ...getTableColumns(trialRequests), user: { username: users.username, email: users.email }, sameMailbox }

type TrialQuery = { page?: number; pageSize?: number; sort?: (typeof trialSorts)[number]; order?: 'asc' | 'desc'; search?: string; status?: TrialStatus }

/** One page of all trial requests for administrators, passwords opened; `search` is taken literally, over username and e-mail. */
export async function listAllTrialRequests(
  db: Db,
  { page = 1, pageSize = limits.lists.default, sort = 'requestDate', order = 'desc', search = '', status: wanted }: TrialQuery,
  key: Key,
): Promise<Page<AdminTrialRequest>> {
  const found = search === '' ? undefined : sql`users.search like '%' || ${search.toLowerCase().replace(/[\\%_]/g, '\\$&')} || '%'`
  const where = and(found, wanted && eq(status, wanted))
  const columns = sort === 'status' ? [status, requestDate, id] : [requestDate, id]
  const [rows, [total]] = await Promise.all([
    db
      .select(adminView)
      .from(trialRequests)
      .innerJoin(users, eq(users.id, userId))
      .where(where)
      .orderBy(...columns.map(order === 'asc' ? asc : desc))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    db.select({ total: count() }).from(trialRequests).innerJoin(users, eq(users.id, userId)).where(where),
  ])
  return { rows: rows.map((row) => opened(row, key)), total: total!.total }
}

/** The administrators' view of one request. Throws 404. */
export async function adminTrialRequest(db: Db | Tx, requestId: number, key: Key): Promise<AdminTrialRequest> {
  const [row] = await db.select(adminView).from(trialRequests).innerJoin(users, eq(users.id, userId)).where(eq(id, requestId))
  return row ? opened(row, key) : notFound('Trial request not found')
}

const opened = <Row extends { id: number; trialPassword: string | null }>(row: Row, key: Key): Row =>
  row.trialPassword === null ? row : { ...row, trialPassword: open(key(), row.trialPassword, passwordPlace(row.id)) }
