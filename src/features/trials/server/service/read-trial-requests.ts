import { and, desc, eq, getTableColumns, inArray, or, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type * as z from 'zod/mini'
import type { Page } from '#kit/endpoint.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { trialRequests, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { sortBuckets } from '#server/lists/counted-lists.ts'
import { type List, readPage } from '#server/lists/list.ts'
import { countedTotal } from '#server/lists/list-count.ts'
import { hasId } from '#server/lists/list-search.ts'
import { type KeyOrRing, open } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import type { AdminTrialRequest, trialListQuery, trialSorts } from '../../admin-contract.ts'
import type { TrialRequest } from '../../contract.ts'

/** Returns the encryption keys. Called only if there is something to decrypt. */
export type GetKey = () => KeyOrRing

/** The encryption context of a trial password, which binds it to its row. */
export const trialPasswordContext = sealedColumns.trialPassword.context

const {
  id,
  userId,
  requestDate,
  status,
  device,
  message,
  responseDate,
  trialUsername,
  trialPassword,
  trialServer,
  expiryDate,
  adminNotes,
} = getTableColumns(trialRequests)
const ifRunning = (column: PgColumn) =>
  sql<string | null>`case when ${status} = 'approved' and ${expiryDate} > now() then ${column} end`
/** The columns visible to the owner, evaluated with the database clock. The password is still encrypted. */
export const ownColumns = {
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

/** Returns a customer's trial requests, newest first. Throws if a password cannot be decrypted with the key and the context of its row. */
export async function listTrialRequests(db: Db, ownerId: number, key: GetKey): Promise<TrialRequest[]> {
  const rows = await db
    .select(ownColumns)
    .from(trialRequests)
    .where(eq(userId, ownerId))
    .orderBy(desc(requestDate), desc(id))
    .limit(limits.lists.default)
  return rows.map((row) => withOpenedPassword(row, key))
}

const sameMailbox = sql<string[]>`array(
  select other.username from users other
  where other.mailbox = users.mailbox and other.id <> users.id and exists (select 1 from trial_requests theirs where theirs.user_id = other.id)
  order by other.id limit 20)`
// A JSON array per row is cheap: there are few related requests, and the mailbox is indexed.
const related = sql<AdminTrialRequest['related']>`array(
  select json_build_object('id', other.id, 'username', who.username, 'status', other.status, 'requestDate', other.request_date)
  from users who join trial_requests other on other.user_id = who.id
  where who.mailbox = users.mailbox and other.id <> trial_requests.id
  order by other.request_date desc, other.id desc limit 20)`
const adminUsername = sql<
  string | null
>`(select deciding.username from users deciding where deciding.id = ${trialRequests.adminId})`
const adminColumns = {
  ...getTableColumns(trialRequests),
  adminUsername,
  user: { username: users.username, email: users.email },
  sameMailbox,
  related,
}

const adminRequests = (db: Db | Tx) =>
  db.select(adminColumns).from(trialRequests).innerJoin(users, eq(users.id, userId))

type Query = z.output<typeof trialListQuery>
/** Returns the definition of the list of all trial requests. Reading its rows decrypts their passwords. */
export const trialList = (key: GetKey): List<AdminTrialRequest, (typeof trialSorts)[number], Query> => ({
  table: trialRequests,
  sorts: { requestDate: [requestDate], status: [status, requestDate] },
  where: ({ search, status: wanted }, ofUser) =>
    and(or(ofUser(userId), hasId(id, search)), wanted && eq(status, wanted)),
  buckets: {
    requestDate: sortBuckets('trial_requests', 'requestDate'),
    status: sortBuckets('trial_requests', 'requestDate', 'status'),
  },
  bucketFilter: ({ search, status: wanted }) => (search ? undefined : { list: 'trial_requests', status: wanted }),
  countedTotal: ({ search, status: wanted }) =>
    search ? undefined : countedTotal('trial_requests', ...(wanted ? [wanted] : [])),
  rows: async (db, ids) => (await adminRequests(db).where(inArray(id, ids))).map((row) => adminRow(row, key)),
})

/**
 * Returns one page of all trial requests for administrators, with decrypted passwords. `search` is matched literally against username and email; `#12`
 * finds request 12.
 */
export const listAllTrialRequests = (db: Db, query: Query, key: GetKey): Promise<Page<AdminTrialRequest>> =>
  readPage(db, trialList(key), query)

/** Returns the admin view of one request. Throws 404. */
export async function adminTrialRequest(db: Db | Tx, requestId: number, key: GetKey): Promise<AdminTrialRequest> {
  const [row] = await adminRequests(db).where(eq(id, requestId))
  return row ? adminRow(row, key) : notFound('Trial request not found')
}

const withOpenedPassword = <Row extends { id: number; trialPassword: string | null }>(row: Row, key: GetKey): Row =>
  row.trialPassword === null
    ? row
    : { ...row, trialPassword: open(key(), row.trialPassword, trialPasswordContext(row.id)) }

/** Decrypts the password of a row. A password that cannot be decrypted becomes null, so that it does not break the whole list and can be replaced. */
function adminRow<Row extends { id: number; trialPassword: string | null; related: AdminTrialRequest['related'] }>(
  row: Row,
  key: GetKey,
): Row {
  const related = row.related.map((each) => ({ ...each, requestDate: new Date(each.requestDate).toISOString() }))
  try {
    return { ...withOpenedPassword(row, key), related }
  } catch {
    return { ...row, trialPassword: null, related }
  }
}
