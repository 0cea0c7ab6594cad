import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { allPermissions, permissionsOf } from '#kit/permissions.ts'
import type { Db } from '../db/connect.ts'
import { anyOf, type Params, statement } from '../db/statement.ts'
import { sessions, users } from '../db/tables.ts'
import { batch } from '../overload/batch.ts'
import { emailVerified, type UserView, userView } from './user-view.ts'

export const absoluteLimit = sql`interval '30 days'`
export const idleLimit = sql`interval '7 days'`
// Whether an administrator has no second factor where the operator requires one (setting `accounts`).
const withoutRequiredFactor = (userId: SQL) => sql<boolean>`(
  coalesce((select (settings.value->>'requireTwoFactorForAdmins')::boolean from settings where settings.key = 'accounts'), false)
  and not exists (select 1 from two_factor where two_factor.user_id = ${userId} and two_factor.confirmed_at is not null))`
/**
 * Whether a session is within the idle and absolute limits of its user's current role, by the database clock. The administrator is read with a
 * scalar subquery: with `exists`, PostgreSQL would plan a scan over all administrators.
 */
export const isLive = sql`${sessions.expiresAt} > now()
  and ${sessions.lastSeenAt} > now() - case ${users.role} when 'admin' then interval '30 minutes' else ${idleLimit} end
  and ${sessions.createdAt} > now() - case ${users.role} when 'admin' then interval '12 hours' else ${absoluteLimit} end
  and (${sessions.impersonatedBy} is null or (${users.role} = 'user'
    and (select administrator.role = 'admin' and not ${withoutRequiredFactor(sql`administrator.id`)} from users administrator
      where administrator.id = ${sessions.impersonatedBy})))`
export const isNotImpersonated = isNull(sessions.impersonatedBy)
export const isVisitStale = sql<boolean>`${sessions.lastSeenAt} < now() - interval '1 minute'`
export const lacksSecondStep = sql<boolean>`case when ${users.role} = 'admin' then ${withoutRequiredFactor(sql`${users.id}`)} else false end`

const readUsers = statement('session_users', (db, params: Params<{ hashes: string[] }>) =>
  db
    .select({
      hash: sql<string>`encode(${sessions.tokenHash}, 'hex')`,
      view: userView,
      emailVerified,
      viewedBy: sessions.impersonatedBy,
      viewedUntil: sql<
        string | null
      >`case when ${sessions.impersonatedBy} is not null then ${sessions.expiresAt} end`.mapWith(sessions.expiresAt),
      lacksSecondStep,
      stale: isVisitStale,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(sql`${sessions.tokenHash} = ${anyOf(params.hashes, 'bytea')}`, isLive)),
)

type Row = Awaited<ReturnType<typeof readUsers>>[number]
type Found = Omit<Row, 'viewedUntil'> & { viewedUntil: string | null }
const readSessions = async (db: Db, hashes: string[]): Promise<Found[]> =>
  hashes.length === 0 ? [] : readUsers(db, { hashes: hashes.map((hash) => `\\x${hash}`) })

// Reads the sessions of customers. Of all other sessions it returns only the hash, and it leaves out the subqueries that only those need:
// PostgreSQL prepares each subquery of a statement at every execution, even those that it does not run.
const readCustomers = statement('session_customers', (db, params: Params<{ hashes: string[] }>) =>
  db
    .select({
      hash: sql<string>`encode(${sessions.tokenHash}, 'hex')`,
      view: { ...userView, staff: sql<UserView['staff']>`null` },
      emailVerified,
      stale: isVisitStale,
      isCustomer: sql<boolean>`${users.role} = 'user' and ${users.staffRoleId} is null and ${isNotImpersonated}`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        sql`${sessions.tokenHash} = ${anyOf(params.hashes, 'bytea')}`,
        sql`${sessions.expiresAt} > now() and ${sessions.lastSeenAt} > now() - ${idleLimit} and ${sessions.createdAt} > now() - ${absoluteLimit}`,
      ),
    ),
)

/** Hashes of sessions that were not a customer's when last read. They only decide which of the two statements is tried first. */
const otherHashes = new Set<string>()
const maxOtherHashes = 1_000

async function readLiveSessions(db: Db, hashes: string[]): Promise<Found[]> {
  const likely = hashes.filter((hash) => !otherHashes.has(hash))
  const [rows, known] = await Promise.all([
    likely.length === 0 ? [] : readCustomers(db, { hashes: likely.map((hash) => `\\x${hash}`) }),
    readSessions(
      db,
      hashes.filter((hash) => otherHashes.has(hash)),
    ),
  ])
  const others = rows.filter(({ isCustomer }) => !isCustomer).map(({ hash }) => hash)
  if (otherHashes.size + others.length > maxOtherHashes) otherHashes.clear()
  for (const hash of others) otherHashes.add(hash)
  const customers = rows.flatMap(({ isCustomer, ...row }) =>
    isCustomer ? { ...row, viewedBy: null, viewedUntil: null, lacksSecondStep: false } : [],
  )
  return [...customers, ...known, ...(await readSessions(db, others))]
}

/** Returns the user of a live session by the hash of its token. Concurrent calls are batched. */
export const userOfHash = batch(async (db: Db, hashes: string[]) => {
  const found = await readLiveSessions(db, hashes)
  return new Map(
    found.map(({ hash, view: { mustChangePassword, ...view }, ...session }) => {
      const { id, username, email, role: accountRole, staff } = view
      const permissions = session.lacksSecondStep ? [] : permissionsOf(accountRole, staff)
      const user = {
        ...session,
        ...{ id, username, email, accountRole, permissions },
        role: permissions === allPermissions ? ('admin' as const) : ('user' as const),
        mustChangePassword: mustChangePassword && session.viewedBy === null,
      }
      return [hash, { ...user, view: { ...view, mustChangePassword: user.mustChangePassword } }]
    }),
  )
})
