import { createHash, hash as digest, randomBytes } from 'node:crypto'
import { and, desc, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { Config } from '../config.ts'
import type { Db, Tx } from '../db/connect.ts'
import { anyOf, type Params, statement } from '../db/statement.ts'
import { pendingLogins, sessions, users } from '../db/tables.ts'
import { type Caller, ownCookieName, sessionCookieName } from '../http/request.ts'
import { limits } from '../limits.ts'
import { notifyUser } from '../live/notify.ts'
import { batch } from '../overload/batch.ts'

/** Who is signed in, read anew for every request. */
export type SessionUser = {
  id: number
  username: string
  email: string
  /** What this session may act as: an administrator who lacks the required second factor acts as a user. Every right is read from it. */
  role: 'user' | 'admin'
  /** The role of the account, for rules about the account itself. */
  accountRole: 'user' | 'admin'
  mustChangePassword: boolean
  lacksSecondStep?: boolean
  /** The administrator who looks at the site as this customer, and when that ends. */
  viewedBy?: number | null
  viewedUntil?: string | null
}

const longest = sql`interval '30 days'`
const idle = sql`interval '7 days'`
// Whether an administrator has no second factor where the operator requires one (setting `accounts`).
const withoutRequiredFactor = (userId: SQL) => sql<boolean>`(
  coalesce((select (settings.value->>'requireTwoFactorForAdmins')::boolean from settings where settings.key = 'accounts'), false)
  and not exists (select 1 from two_factor where two_factor.user_id = ${userId} and two_factor.confirmed_at is not null))`
// Idle and absolute limits by today's role; the database's clock decides, the process's never. An `exists` would be planned as a list of all administrators.
const alive = sql`${sessions.expiresAt} > now()
  and ${sessions.lastSeenAt} > now() - case ${users.role} when 'admin' then interval '30 minutes' else ${idle} end
  and ${sessions.createdAt} > now() - case ${users.role} when 'admin' then interval '12 hours' else ${longest} end
  and (${sessions.impersonatedBy} is null or (${users.role} = 'user'
    and (select administrator.role = 'admin' and not ${withoutRequiredFactor(sql`administrator.id`)} from users administrator
      where administrator.id = ${sessions.impersonatedBy})))`
const isOwn = isNull(sessions.impersonatedBy)
const viewing = sql`interval '15 minutes'`
const stale = sql<boolean>`${sessions.lastSeenAt} < now() - interval '1 minute'`
const lacksSecondStep = sql<boolean>`case when ${users.role} = 'admin' then ${withoutRequiredFactor(sql`${users.id}`)} else false end`
const tokenShape = /^[\w-]{43}$/

const sessionUsers = statement('session_users', (db, given: Params<{ hashes: string[] }>) =>
  db
    .select({
      hash: sql<string>`encode(${sessions.tokenHash}, 'hex')`,
      id: users.id,
      username: users.username,
      email: users.email,
      accountRole: users.role,
      mustChangePassword: sql<boolean>`${users.mustChangePassword} and ${sessions.impersonatedBy} is null`,
      viewedBy: sessions.impersonatedBy,
      viewedUntil: sql<
        string | null
      >`case when ${sessions.impersonatedBy} is not null then ${sessions.expiresAt} end`.mapWith(sessions.expiresAt),
      lacksSecondStep,
      stale,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(sql`${sessions.tokenHash} = ${anyOf(given.hashes, 'bytea')}`, alive)),
)
const touch = statement('session_touch', (db, given: Params<{ hash: Buffer }>) =>
  db
    .update(sessions)
    .set({ lastSeenAt: sql`now()` })
    .where(and(eq(sessions.tokenHash, given.hash), stale, isOwn)),
)
const find = batch(async (db: Db, hashes: string[]) => {
  const found = await sessionUsers(db, { hashes: hashes.map((hash) => `\\x${hash}`) })
  return new Map(
    found.map(({ hash, ...user }) => [hash, { ...user, role: user.lacksSecondStep ? 'user' : user.accountRole }]),
  )
})

/**
 * The user of a session token, null for none, an unknown or an expired one. Notes the visit at most once a minute, unless `isBackground`: what a
 * page does by itself does not keep a session alive.
 */
export async function userOfToken(
  { db }: { db: Db },
  token: string | undefined,
  { isBackground = false } = {},
): Promise<SessionUser | null> {
  if (!token || !tokenShape.test(token)) return null
  const found = await find(db, digest('sha256', token, 'hex'))
  if (!found) return null
  const { stale: unseen, ...user } = found
  if (unseen && !isBackground) await touch(db, { hash: hashOf(token) })
  return user
}

/** The users of several tokens at once, by token; those of ended sessions are left out. Nobody's visit is noted by it. */
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
        alive,
        isOwn,
      ),
    )
  return new Map(found.map(({ hash, ...user }) => [byHash.get(hash)!, user]))
}

/** What a person may know of one of their sessions. */
export type SessionRow = {
  id: number
  createdAt: string
  lastSeenAt: string
  ip: string | null
  userAgent: string | null
  current: boolean
}

/** The live sessions of a user, the latest seen first; `token` is the one that asks. */
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
    .where(and(eq(sessions.userId, userId), alive, isOwn))
    .orderBy(desc(lastSeenAt), desc(id))
    .limit(limits.lists.default)
}

/** Ends one session of a user by its number; false when there is none (any more). Its sockets are told to look again. */
export async function endSessionNumber(tx: Tx, userId: number, number: number): Promise<boolean> {
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.id, number)))
    .returning({ id: sessions.id })
  if (ended.length > 0) await notifyUser(tx, userId, [])
  return ended.length > 0
}

/** Starts a session and returns its token, 256 random bits; only the SHA-256 is stored. */
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
  db.insert(sessions).values({ tokenHash, userId, expiresAt: sql`now() + ${longest}`, ip, userAgent }),
)

/** Opens a customer's session for an administrator who looks at the site as they do. Returns its token and when it ends. */
export async function openViewing(
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
      expiresAt: sql`now() + ${viewing}`,
      ip: caller.ip,
      userAgent: caller.userAgent,
    })
    .returning({ until: sessions.expiresAt })
  return { token, until: opened!.until }
}

/** Holds a session until the transaction ends: who ends it waits so long. Returns its user's role, undefined when it has ended. */
export async function holdSession(tx: Tx, token: string | undefined): Promise<SessionUser['role'] | undefined> {
  return (await hold(tx, { hash: hashOf(token ?? '') }))[0]?.role
}
const hold = statement('session_hold', (tx, { hash }: Params<{ hash: Buffer }>) =>
  tx
    .select({ role: users.role })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.tokenHash, hash))
    .for('key share', { of: sessions }),
)

/** Ends one session; its sockets are told to look again. An unknown token changes nothing. */
export async function endSession(db: Db | Tx, token: string | undefined): Promise<void> {
  if (!token || !tokenShape.test(token)) return
  const [ended] = await db
    .delete(sessions)
    .where(eq(sessions.tokenHash, hashOf(token)))
    .returning({ userId: sessions.userId })
  if (ended) await notifyUser(db, ended.userId, [])
}

/** Ends every session of a user, but for the token of `except`, and says how many. For password resets and changes. */
export async function endSessionsOf(tx: Tx, userId: number, { except }: { except?: string } = {}): Promise<number> {
  // A login half way through proved a password that may no longer be the right one.
  await tx.delete(pendingLogins).where(eq(pendingLogins.userId, userId))
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), except === undefined ? undefined : ne(sessions.tokenHash, hashOf(except))))
    .returning({ impersonatedBy: sessions.impersonatedBy })
  // An administrator whose sessions end looks at nobody any more.
  await tx.delete(sessions).where(eq(sessions.impersonatedBy, userId))
  await notifyUser(tx, userId, [])
  return ended.filter(({ impersonatedBy }) => impersonatedBy === null).length
}

/** The Set-Cookie text that carries a token. */
export const sessionCookie = (config: Pick<Config, 'secureCookies'>, token: string): string =>
  cookie(config, token, 30 * 24 * 60 * 60)
/** The Set-Cookie text that makes the browser forget it. */
export const clearedCookie = (config: Pick<Config, 'secureCookies'>): string => cookie(config, '', 0)

/** The Set-Cookie text that keeps an administrator's own token while they look at the site as a customer does. */
export const ownCookie = (config: Pick<Config, 'secureCookies'>, token: string): string =>
  cookie(config, token, 12 * 60 * 60, ownCookieName(config))
/** The Set-Cookie text that makes the browser forget that one. */
export const clearedOwnCookie = (config: Pick<Config, 'secureCookies'>): string =>
  cookie(config, '', 0, ownCookieName(config))

const cookie = (
  config: Pick<Config, 'secureCookies'>,
  value: string,
  maxAgeSeconds: number,
  name = sessionCookieName(config),
): string =>
  `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${config.secureCookies ? '; Secure' : ''}`

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Deletes sessions that are over for whatever role, some thousand at a time, and returns how many. */
export async function forgetEndedSessions(db: Db, atOnce = 5_000): Promise<number> {
  const isOver = sql`${sessions.expiresAt} <= now() or ${sessions.lastSeenAt} <= now() - ${idle} or ${sessions.createdAt} <= now() - ${longest}`
  let forgotten = 0
  for (let found = atOnce; found === atOnce; forgotten += found) {
    const over = db.select({ id: sessions.id }).from(sessions).where(isOver).limit(atOnce)
    found = (await db.delete(sessions).where(inArray(sessions.id, over))).rowCount ?? 0
  }
  return forgotten
}
