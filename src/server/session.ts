import { createHash, randomBytes } from 'node:crypto'
import { and, eq, ne, sql } from 'drizzle-orm'
import type { Config } from './config.ts'
import type { Db, Tx } from './db/connect.ts'
import { sessions, users } from './db/tables.ts'
import { notifyUser } from './notify.ts'
import { type Caller, sessionCookieName } from './request.ts'

/** Who is signed in, read anew for every request. */
export type SessionUser = { id: number; username: string; email: string; role: 'user' | 'admin' }

const longest = sql`interval '30 days'`
// Idle and absolute limits by today's role; the database's clock decides, the process's never.
const alive = sql`${sessions.expiresAt} > now()
  and ${sessions.lastSeenAt} > now() - case ${users.role} when 'admin' then interval '30 minutes' else interval '7 days' end
  and ${sessions.createdAt} > now() - case ${users.role} when 'admin' then interval '12 hours' else ${longest} end`
const stale = sql<boolean>`${sessions.lastSeenAt} < now() - interval '1 minute'`
const tokenShape = /^[\w-]{43}$/

const prepare = (db: Db) => ({
  find: db
    .select({ id: users.id, username: users.username, email: users.email, role: users.role, stale })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, sql.placeholder('hash')), alive))
    .prepare('session_user'),
  touch: db
    .update(sessions)
    .set({ lastSeenAt: sql`now()` })
    .where(and(eq(sessions.tokenHash, sql.placeholder('hash')), stale))
    .prepare('session_touch'),
})
const statements = new WeakMap<Db, ReturnType<typeof prepare>>()

/** The user of a session token, null for none, an unknown or an expired one. Notes the visit at most once a minute. */
export async function userOfToken({ db }: { db: Db }, token: string | undefined): Promise<SessionUser | null> {
  if (!token || !tokenShape.test(token)) return null
  const prepared = statements.get(db) ?? prepare(db)
  statements.set(db, prepared)
  const hash = hashOf(token)
  const [found] = await prepared.find.execute({ hash })
  if (!found) return null
  const { stale: unseen, ...user } = found
  if (unseen) await prepared.touch.execute({ hash })
  return user
}

/** Starts a session and returns its token, 256 random bits; only the SHA-256 is stored. */
export async function openSession(db: Db | Tx, user: { id: number }, caller: Pick<Caller, 'ip' | 'userAgent'>): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db
    .insert(sessions)
    .values({ tokenHash: hashOf(token), userId: user.id, expiresAt: sql`now() + ${longest}`, ip: caller.ip, userAgent: caller.userAgent })
  return token
}

/** Ends one session; its sockets are told to look again. An unknown token changes nothing. */
export async function endSession(db: Db | Tx, token: string | undefined): Promise<void> {
  if (!token || !tokenShape.test(token)) return
  const [ended] = await db
    .delete(sessions)
    .where(eq(sessions.tokenHash, hashOf(token)))
    .returning({ userId: sessions.userId })
  if (ended) await notifyUser(db, ended.userId, [])
}

/** Ends every session of a user, but for the token of `except`. For password resets and changes and for changes of role. */
export async function endSessionsOf(tx: Tx, userId: number, { except }: { except?: string } = {}): Promise<void> {
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), except === undefined ? undefined : ne(sessions.tokenHash, hashOf(except))))
  await notifyUser(tx, userId, [])
}

/** The Set-Cookie text that carries a token. */
export const sessionCookie = (config: Pick<Config, 'secureCookies'>, token: string): string => cookie(config, token, 30 * 24 * 60 * 60)
/** The Set-Cookie text that makes the browser forget it. */
export const clearedCookie = (config: Pick<Config, 'secureCookies'>): string => cookie(config, '', 0)

const cookie = (config: Pick<Config, 'secureCookies'>, value: string, maxAgeSeconds: number): string =>
  `${sessionCookieName(config)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${config.secureCookies ? '; Secure' : ''}`

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
