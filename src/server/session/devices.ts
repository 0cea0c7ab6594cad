import { createHash } from 'node:crypto'
import { and, desc, eq, isNull, notExists, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/connect.ts'
import { type Params, statement } from '../db/statement.ts'
import { devices, sessions, users } from '../db/tables.ts'
import { changed } from '../live/notify.ts'
import { deviceName } from './device.ts'
import type { SessionUser } from './session.ts'
import { emailVerified } from './user-view.ts'

const tokenShape = /^[\w-]{43}$/
const nameLength = 24
/** Returns the SHA-256 hash of a device token, as stored in the database. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest()

const deviceUser = statement('device_user', (db, { hash }: Params<{ hash: Buffer }>) =>
  db
    .select({
      deviceId: devices.id,
      id: users.id,
      username: users.username,
      email: users.email,
      emailVerified,
      accountRole: users.role,
      isStale: sql<boolean>`${devices.seenAt} is null or ${devices.seenAt} < now() - interval '1 minute'`,
    })
    .from(devices)
    .innerJoin(users, eq(users.id, devices.userId))
    .where(and(eq(devices.tokenHash, hash), isNull(devices.endedAt))),
)
const updateSeen = statement('device_touch', (db, { id }: Params<{ id: string }>) =>
  db.update(devices).set({ seenAt: sql`now()` }).where(eq(devices.id, id)),
)

/**
 * Returns the user for whom a paired device acts, always in the role of a customer, or null if the token is missing or unknown or the device was
 * removed. Records at most once a minute that the device was seen.
 */
export async function userOfDevice(db: Db, token: string | undefined): Promise<SessionUser | null> {
  if (!token || !tokenShape.test(token)) return null
  const [found] = await deviceUser(db, { hash: hashOfToken(token) })
  if (!found) return null
  const { isStale, ...user } = found
  if (isStale) await updateSeen(db, { id: user.deviceId })
  return { ...user, role: 'user', permissions: [], mustChangePassword: false }
}

/**
 * Locks a device until the transaction ends, so that a concurrent removal waits. Returns the role in which the device acts, or undefined if it was
 * removed.
 */
export async function lockDevice(tx: Tx, id: string): Promise<'user' | undefined> {
  return (await lockDeviceRow(tx, { id })).length > 0 ? 'user' : undefined
}
const lockDeviceRow = statement('device_hold', (tx, { id }: Params<{ id: string }>) =>
  tx
    .select({ id: devices.id })
    .from(devices)
    .where(and(eq(devices.id, id), isNull(devices.endedAt)))
    .for('key share'),
)

/** A device on which channels are watched, with its session if it is a browser. */
export type WatchingDevice = { id: string; name: string; sessionId: number | null }
const watching = { id: devices.id, name: devices.name, sessionId: devices.sessionId }

/** Returns the device with this id and locks it until the transaction ends. Undefined if it was removed. */
export async function deviceById(tx: Tx, id: string): Promise<WatchingDevice | undefined> {
  const [device] = await tx
    .select(watching)
    .from(devices)
    .where(and(eq(devices.id, id), isNull(devices.endedAt)))
    .for('key share')
  return device
}

type Browser = { userId: number; sessionId: number; userAgent: string; country: string | null }
/**
 * Returns the browser of a session; adds it when the session watches for the first time. A logged-out browser of the same kind is assumed to be the
 * same browser, so that it keeps its name. The caller must have locked the user.
 */
export async function browserOf(tx: Tx, { userId, sessionId, userAgent, country }: Browser): Promise<WatchingDevice> {
  const isBrowser = and(eq(devices.userId, userId), eq(devices.kind, 'browser'), isNull(devices.endedAt))
  const [known] = await tx
    .select(watching)
    .from(devices)
    .where(and(isBrowser, eq(devices.sessionId, sessionId)))
  if (known) return known
  const agent = deviceName(userAgent)
  const hasNoSession = notExists(
    tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, devices.sessionId)),
  )
  const [loggedOut] = await tx
    .select({ id: devices.id })
    .from(devices)
    .where(and(isBrowser, eq(devices.agent, agent), hasNoSession))
    .orderBy(desc(devices.createdAt))
    .limit(1)
  const [device] = loggedOut
    ? await tx.update(devices).set({ sessionId }).where(eq(devices.id, loggedOut.id)).returning(watching)
    : await tx
        .insert(devices)
        .values({ userId, kind: 'browser', name: agent.slice(0, nameLength), agent, country, sessionId })
        .returning(watching)
  return device!
}

/** Removes a user's paired TVs and TV app credentials when the password changes. Streams that they are playing end with their next request. */
export async function endDevicesOf(tx: Tx, userId: number): Promise<void> {
  const isEnded = and(eq(devices.userId, userId), isNull(devices.endedAt), sql`${devices.kind} <> 'browser'`)
  // An update alone would not wait for concurrent writes of a device, because they only take a key share lock.
  await tx.select({ id: devices.id }).from(devices).where(isEnded).for('update')
  await tx.update(devices).set({ endedAt: sql`now()` }).where(isEnded)
  await changed(tx, 'device', { user: userId })
}
