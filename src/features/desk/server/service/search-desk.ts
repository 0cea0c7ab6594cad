import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { adminInvoices, invoiceList } from '#features/billing/server/service/read-invoices.ts'
import type { Permission } from '#kit/permissions.ts'
import type { Db } from '#server/db/connect.ts'
import { invoices, trialRequests, users } from '#server/db/tables.ts'
import { containsIndexed } from '#server/lists/list-search.ts'
import type { Reader } from '#server/session/session.ts'
import type { DeskResults } from '../../admin-contract.ts'
import { isPaymentToCheck, isWithoutLink, waitsSince } from '../waiting-work.ts'

const shown = 4
const waitingShown = 3
// With a smaller limit, PostgreSQL would read the whole table instead of an index when few rows match. The counts of lists use the same limit.
const candidates = 1_001

/**
 * Returns the customers, invoices and pending trial requests that match `search` best: at most four customers, four invoices and three requests.
 * Without `search`, returns the payments, card links and trial requests that have been waiting longest, at most three of each. Leaves out kinds that
 * the administrator may not see.
 */
export async function searchDesk(db: Db, search: string | undefined, { permissions }: Reader): Promise<DeskResults> {
  const sees = (permission: Permission) => permissions.includes(permission)
  if (!search) return waitingLongest(db, sees)
  const customers = sees('customers.read') ? await findCustomers(db, search.toLowerCase()) : []
  const userIds = customers.map(({ id }) => id)
  const [invoiceIds, trials] = await Promise.all([
    sees('invoices.read') ? findInvoices(db, search, userIds) : [],
    sees('trials.read') ? pendingTrials(db, inArray(trialRequests.userId, userIds)) : [],
  ])
  return { customers, invoices: await adminInvoices(db, invoiceIds), trials }
}

async function waitingLongest(db: Db, sees: (permission: Permission) => boolean): Promise<DeskResults> {
  const waiting = (condition: SQL) =>
    db
      .select({ id: invoices.id })
      .from(invoices)
      .where(condition)
      .orderBy(waitsSince, asc(invoices.id))
      .limit(waitingShown)
  const [payments, links, trials] = await Promise.all([
    sees('invoices.read') ? waiting(isPaymentToCheck) : [],
    sees('invoices.read') ? waiting(isWithoutLink) : [],
    sees('trials.read') ? pendingTrials(db, undefined) : [],
  ])
  return {
    customers: [],
    invoices: await adminInvoices(
      db,
      [...payments, ...links].map(({ id }) => id),
    ),
    trials,
  }
}

/** Customers whose username or email address equals the term come first, then those that begin with it, then the newest. */
async function findCustomers(db: Db, term: string): Promise<DeskResults['customers']> {
  const found = sql`(select user_id from user_search where ${containsIndexed(sql`search`, term)} limit ${candidates})`
  const name = sql`lower(${users.username})`
  const email = sql`lower(${users.email})`
  return db
    .select({
      id: users.id,
      username: users.username,
      email: users.email,
      fullName: users.fullName,
      subscriptionStatus: users.subscriptionStatus,
    })
    .from(users)
    .where(sql`${users.id} = any(array(${found}))`)
    .orderBy(
      sql`${term} in (${name}, ${email}) desc`,
      sql`starts_with(${name}, ${term}) or starts_with(${email}, ${term}) desc`,
      desc(users.id),
    )
    .limit(shown)
}

/** Returns the ids of invoices that match by number, code or note, and of invoices of the found customers: pending ones first, then the newest. */
async function findInvoices(db: Db, search: string, userIds: number[]): Promise<number[]> {
  const ofCustomers = sql`${invoices.userId} = any(${sql.param(userIds)}::int[])`
  const { rows } = await db.execute<{ id: number }>(sql`
    select id from (
      select ${invoices.id} as id, ${invoices.status} = 'pending' as is_pending, ${invoices.createdAt} as created_at
      from ${invoices} where ${invoiceList.where({ search }, () => ofCustomers)} limit ${candidates}
    ) as found order by is_pending desc, created_at desc, id desc limit ${shown}`)
  return rows.map(({ id }) => id)
}

const pendingTrials = (db: Db, ofUsers: SQL | undefined): Promise<DeskResults['trials']> =>
  db
    .select({ id: trialRequests.id, username: users.username, requestDate: trialRequests.requestDate })
    .from(trialRequests)
    .innerJoin(users, eq(users.id, trialRequests.userId))
    .where(and(eq(trialRequests.status, 'pending'), ofUsers))
    .orderBy(asc(trialRequests.requestDate), asc(trialRequests.id))
    .limit(waitingShown)
