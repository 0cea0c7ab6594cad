import { createHash, hash as digest, randomBytes } from 'node:crypto'
import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Permission } from '#kit/permissions.ts'
import type { Db, Tx } from '../db/connect.ts'
import { type Params, statement } from '../db/statement.ts'
import { pendingLogins, sessions, users } from '../db/tables.ts'
import type { Caller } from '../http/request.ts'
import { limits } from '../limits.ts'
import { notifySessionsChanged } from '../live/notify.ts'
import { absoluteLimit, idleLimit, isLive, isNotImpersonated, isVisitStale, userOfHash } from './live-session.ts'
import type { UserView } from './user-view.ts'

/** The signed-in user, read from the database for every request. */
export type SessionUser = {
  id: number
  username: string
  email: string
  emailVerified: boolean
  /** The role for authorization: only an owner is `admin` here. Other staff, and administrators without the required second factor, are `user`. */
  role: 'user' | 'admin'
  /** What the user may do in the admin area; empty for customers. */
  permissions: readonly Permission[]
  /** The stored role, for rules about the account itself. */
  accountRole: 'user' | 'admin'
  mustChangePassword: boolean
  lacksSecondStep?: boolean
  /** The id of the administrator who views the site as this customer. */
  viewedBy?: number | null
  /** When that view ends. */
  viewedUntil?: string | null
  /** What `GET /api/user` responds with; undefined where a device or an API key acts for the user. */
  view?: UserView
  /** The paired device that acts for the user, instead of a session. */
  deviceId?: string
  /** The API key that acts for the user, instead of a session. */
  apiKey?: { id: number; name: string }
}
/** The user who reads a record; their permissions decide which parts of it are shown. */
export type Reader = Pick<SessionUser, 'id' | 'permissions'>

const viewingDuration = sql`interval '15 minutes'`
const tokenShape = /^[\w-]{43}$/

const updateLastSeen = statement('session_touch', (db, { hash }: Params<{ hash: Buffer }>) =>
  db
    .update(sessions)
    .set({ lastSeenAt: sql`now()` })
    .where(and(eq(sessions.tokenHash, hash), isVisitStale, isNotImpersonated)),
)
/**
 * Returns the user of a session token, or null if the token is missing, unknown or expired. Records the visit at most once a minute, but not for
 * background requests (`isBackground`): requests that a page makes without the user do not keep a session alive.
 */
export async function userOfToken(
  { db }: { db: Db },
  token: string | undefined,
  { isBackground = false } = {},
): Promise<SessionUser | null> {
  if (!token || !tokenShape.test(token)) return null
  const found = await userOfHash(db, digest('sha256', token, 'hex'))
  if (!found) return null
  const { stale: unseen, ...user } = found
  if (unseen && !isBackground) await updateLastSeen(db, { hash: hashOf(token) })
  return user
}

/** Returns the users of several session tokens, keyed by token. Tokens of ended sessions are left out. Does not record visits. */
export async function usersOfTokens(
  db: Db,
  tokens: readonly string[],
): Promise<Map<string, Pick<SessionUser, 'id' | 'username'>>> {
  const byHash = new Map(
    tokens.filter((token) => tokenShape.test(token)).map((token) => [hashOf(token).toString('hex'), token]),
  )
  if (byHash.size === 0) return new Map()
  const found = await db
    .select({ hash: sql<string>`encode(${sessions.tokenHash}, 'hex')`, id: users.id, username: users.username })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        inArray(
          sessions.tokenHash,
          [...byHash.keys()].map((hash) => Buffer.from(hash, 'hex')),
        ),
        isLive,
        isNotImpersonated,
      ),
    )
  return new Map(found.map(({ hash, ...user }) => [byHash.get(hash)!, user]))
}

/** A session as shown to its user. */
export type SessionRow = {
  id: number
  createdAt: string
  lastSeenAt: string
  ip: string | null
  userAgent: string | null
  current: boolean
}

/** Returns the live sessions of a user, most recently seen first. `token` is the token of the current session. */
export async function listSessionsOf(db: Db, userId: number, token: string | undefined): Promise<SessionRow[]> {
  const { id, createdAt, lastSeenAt, ip, userAgent } = sessions
  return db
    .select({
      id,
      createdAt,
      lastSeenAt,
      ip,
      userAgent,
      current: sql<boolean>`${sessions.tokenHash} = ${hashOf(token ?? '')}`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.userId, userId), isLive, isNotImpersonated))
    .orderBy(desc(lastSeenAt), desc(id))
    .limit(limits.lists.default)
}

/** Ends one session of a user and closes its sockets. Returns false if there is no such session. */
export async function endSessionById(tx: Tx, userId: number, sessionId: number): Promise<boolean> {
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.id, sessionId)))
    .returning({ id: sessions.id })
  if (ended.length > 0) await notifySessionsChanged(tx, userId)
  return ended.length > 0
}

/** Starts a session and returns its token of 256 random bits. Only the SHA-256 is stored. */
export async function openSession(
  db: Db | Tx,
  user: { id: number },
  caller: Pick<Caller, 'ip' | 'userAgent'>,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await insertSession(db, { tokenHash: hashOf(token), userId: user.id, ip: caller.ip, userAgent: caller.userAgent })
  return token
}
type NewSession = Pick<Caller, 'ip' | 'userAgent'> & { tokenHash: Buffer; userId: number }
const insertSession = statement('session_open', (db, { tokenHash, userId, ip, userAgent }: Params<NewSession>) =>
  db.insert(sessions).values({ tokenHash, userId, expiresAt: sql`now() + ${absoluteLimit}`, ip, userAgent }),
)

/** Opens a session in which an administrator views the site as a customer. Returns its token and expiry. */
export async function openViewingSession(
  tx: Tx,
  { userId, adminId }: { userId: number; adminId: number },
  caller: Pick<Caller, 'ip' | 'userAgent'>,
): Promise<{ token: string; until: string }> {
  const token = randomBytes(32).toString('base64url')
  const [opened] = await tx
    .insert(sessions)
    .values({
      tokenHash: hashOf(token),
      userId,
      impersonatedBy: adminId,
      expiresAt: sql`now() + ${viewingDuration}`,
      ip: caller.ip,
      userAgent: caller.userAgent,
    })
    .returning({ until: sessions.expiresAt })
  return { token, until: opened!.until }
}

/** Ends one session and closes its sockets. An unknown token has no effect. */
export async function endSession(db: Db | Tx, token: string | undefined): Promise<void> {
  if (!token || !tokenShape.test(token)) return
  const [ended] = await db
    .delete(sessions)
    .where(eq(sessions.tokenHash, hashOf(token)))
    .returning({ userId: sessions.userId })
  if (ended) await notifySessionsChanged(db, ended.userId)
}

/**
 * Ends all sessions of a user except the one with the token `except`, for password resets and changes. Returns the number of ended sessions,
 * without those in which an administrator viewed the site as this user.
 */
export async function endSessionsOf(tx: Tx, userId: number, { except }: { except?: string } = {}): Promise<number> {
  // A login waiting for its second step was started with a password that may have changed.
  await tx.delete(pendingLogins).where(eq(pendingLogins.userId, userId))
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), except === undefined ? undefined : ne(sessions.tokenHash, hashOf(except))))
    .returning({ impersonatedBy: sessions.impersonatedBy })
  // The sessions in which this administrator views customers end too.
  await tx.delete(sessions).where(eq(sessions.impersonatedBy, userId))
  await notifySessionsChanged(tx, userId)
  return ended.filter(({ impersonatedBy }) => impersonatedBy === null).length
}

/** Returns the hash of a session token, as stored in the database. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Deletes the sessions that have expired for every role, `batchSize` per statement. Returns the number of deleted sessions. */
export async function deleteExpiredSessions(db: Db, batchSize = 5_000): Promise<number> {
  const isExpired = sql`${sessions.expiresAt} <= now() or ${sessions.lastSeenAt} <= now() - ${idleLimit} or ${sessions.createdAt} <= now() - ${absoluteLimit}`
  let deleted = 0
  for (let found = batchSize; found === batchSize; deleted += found) {
    const expired = db.select({ id: sessions.id }).from(sessions).where(isExpired).limit(batchSize)
    found = (await db.delete(sessions).where(inArray(sessions.id, expired))).rowCount ?? 0
  }
  return deleted
}
