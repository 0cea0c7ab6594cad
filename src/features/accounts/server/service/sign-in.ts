import { createHash } from 'node:crypto'
import { and, eq, ne, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { loginPlaces } from '#server/db/tables.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import { networkOf } from '#server/overload/rate-limit.ts'
import { deviceName } from '#server/session/device.ts'
import { endSession, openSession } from '#server/session/session.ts'
import type { RequestContext } from './confirm-password.ts'

type LoginUser = { id: number; username: string; email: string }

/**
 * Opens a session for an authenticated user and returns its token; the browser's previous session ends. With `newLoginMail`, the user is emailed
 * about a login from a new combination of device and network, unless it is their first login.
 */
export async function signIn(
  tx: Tx,
  user: LoginUser,
  { caller, requestId }: RequestContext,
  { newLoginMail }: { newLoginMail: boolean },
): Promise<string> {
  await endSession(tx, caller.sessionToken)
  const token = await openSession(tx, user, caller)
  const at = await recordNewDevice(tx, user, caller)
  if (at && newLoginMail) {
    const data = { username: user.username, at, device: deviceName(caller.userAgent), ip: caller.ip }
    await enqueueMail(tx, {
      dedupeKey: `new_login:${requestId}`,
      userId: user.id,
      recipient: user.email,
      template: 'new_login',
      data,
    })
  }
  return token
}

const deviceHash = (userId: number, caller: RequestContext['caller']): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([userId, deviceName(caller.userAgent), networkOf(caller.ip)]))
    .digest()

/** Whether the user has logged in from this device and network before. */
export async function isKnownDevice(tx: Tx, userId: number, caller: RequestContext['caller']): Promise<boolean> {
  return (
    (await tx.$count(
      loginPlaces,
      and(eq(loginPlaces.userId, userId), eq(loginPlaces.place, deviceHash(userId, caller))),
    )) > 0
  )
}

/**
 * Records the device and network of a login. Returns the time of the login if this combination is new and the user has logged in from another one
 * before.
 */
async function recordNewDevice(tx: Tx, user: LoginUser, caller: RequestContext['caller']): Promise<string | undefined> {
  const place = deviceHash(user.id, caller)
  const [device] = await upsertDevice(tx, { userId: user.id, place })
  if (!device?.isNew) return undefined
  const [earlier] = await tx
    .select({ one: sql`1` })
    .from(loginPlaces)
    .where(and(eq(loginPlaces.userId, user.id), ne(loginPlaces.place, place)))
    .limit(1)
  return earlier && device.at
}
const upsertDevice = statement('login_place', (tx, { userId, place }: Params<{ userId: number; place: Buffer }>) =>
  tx
    .insert(loginPlaces)
    .values({ userId, place })
    .onConflictDoUpdate({ target: [loginPlaces.userId, loginPlaces.place], set: { lastSeenAt: sql`now()` } })
    // xmax is 0 for a row that this statement inserted.
    .returning({ at: loginPlaces.lastSeenAt, isNew: sql<boolean>`xmax = 0` }),
)
