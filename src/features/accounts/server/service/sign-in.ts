import { createHash } from 'node:crypto'
import { and, eq, ne, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { loginPlaces } from '#server/db/tables.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import { networkOf } from '#server/overload/rate-limit.ts'
import { deviceName } from '#server/session/device.ts'
import { endSession, openSession } from '#server/session/session.ts'
import type { Request } from './confirm-password.ts'

type Person = { id: number; username: string; email: string }

/**
 * Opens the session of somebody who has proved who they are and returns its token; the one the browser had before ends. With
 * `newLoginMail` the user is told of a login from a device and network of which no earlier login is known, unless it is their first.
 */
export async function signIn(
  tx: Tx,
  user: Person,
  { caller, requestId }: Request,
  { newLoginMail }: { newLoginMail: boolean },
): Promise<string> {
  await endSession(tx, caller.sessionToken)
  const token = await openSession(tx, user, caller)
  const at = await noteNewPlace(tx, user, caller)
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

const placeOf = (userId: number, caller: Request['caller']): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([userId, deviceName(caller.userAgent), networkOf(caller.ip)]))
    .digest()

/** Whether the user has logged in from this device and network before. */
export async function isKnownPlace(tx: Tx, userId: number, caller: Request['caller']): Promise<boolean> {
  return (
    (await tx.$count(
      loginPlaces,
      and(eq(loginPlaces.userId, userId), eq(loginPlaces.place, placeOf(userId, caller))),
    )) > 0
  )
}

/** When the login happened, if its place is new to a user who has logged in elsewhere before. */
async function noteNewPlace(tx: Tx, user: Person, caller: Request['caller']): Promise<string | undefined> {
  const place = placeOf(user.id, caller)
  const [seen] = await notePlace(tx, { userId: user.id, place })
  if (!seen?.isNew) return undefined
  const [earlier] = await tx
    .select({ one: sql`1` })
    .from(loginPlaces)
    .where(and(eq(loginPlaces.userId, user.id), ne(loginPlaces.place, place)))
    .limit(1)
  return earlier && seen.at
}
const notePlace = statement('login_place', (tx, { userId, place }: Params<{ userId: number; place: Buffer }>) =>
  tx
    .insert(loginPlaces)
    .values({ userId, place })
    .onConflictDoUpdate({ target: [loginPlaces.userId, loginPlaces.place], set: { lastSeenAt: sql`now()` } })
    // A row that this very statement made has never been updated.
    .returning({ at: loginPlaces.lastSeenAt, isNew: sql<boolean>`xmax = 0` }),
)
