import { randomBytes } from 'node:crypto'
import { eq, or, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import type { AppContext } from '#server/http/route.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import {
  type RemovedCredentials,
  removeCredentials,
  removedFacts,
  unconfirmedFactor,
} from '#server/session/credentials.ts'
import { endDevicesOf } from '#server/session/devices.ts'
import { endSessionsOf } from '#server/session/session.ts'
import { revokeTokens } from '../mailed-token.ts'

/**
 * Sets a generated password for a user who lost access, from the command line. The password is shown once and must be changed at the next login.
 * All sessions, passkeys and emailed links end, and the user gets an email. `name` is a username or an email address. Throws an error with a
 * readable message if no user has this name.
 */
export async function resetAccess(
  { db, passwords }: Pick<AppContext, 'db' | 'passwords'>,
  name: string,
): Promise<{ id: number; username: string; password: string; removed: RemovedCredentials }> {
  const password = randomBytes(15).toString('base64url')
  const passwordHash = await passwords.hash(password)
  return inTransaction(db, async (tx) => {
    const lower = name.toLowerCase()
    const [user] = await tx
      .update(users)
      .set({ passwordHash, strongPassword: true, mustChangePassword: true })
      .where(or(eq(sql`lower(${users.username})`, lower), eq(sql`lower(${users.email})`, lower)))
      .returning({ id: users.id, username: users.username, email: users.email })
    if (!user) throw new Error(`No user has the username or email address ${name}.`)
    await endSessionsOf(tx, user.id)
    await endDevicesOf(tx, user.id)
    await revokeTokens(tx, 'reset_password', user.id)
    const removed = await removeCredentials(tx, user.id, { secondFactor: unconfirmedFactor })
    await enqueueMail(tx, {
      dedupeKey: `password_reset_by_admin:cli:${user.id}:${randomBytes(6).toString('hex')}`,
      userId: user.id,
      recipient: user.email,
      template: 'password_reset_by_admin',
      data: { username: user.username, removed: removedFacts(removed) },
    })
    await audit(tx, {
      actorId: null,
      action: 'user.reset_password',
      targetType: 'user',
      targetId: user.id,
      after: { mustChangePassword: true, removed: removedFacts(removed) },
    })
    return { id: user.id, username: user.username, password, removed }
  })
}
