import { randomBytes } from 'node:crypto'
import { eq, or, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import type { House } from '#server/http.ts'
import { enqueueMail } from '#server/mail.ts'
import { endSessionsOf } from '#server/session.ts'

/**
 * Draws a new password for whoever lost theirs, by the operator's hand: shown once, to be changed at the next login; all sessions
 * end and the person is told by mail. `name` is a username or an e-mail address. Throws a sentence when nobody has it.
 */
export async function resetAccess(
  { db, passwords }: Pick<House, 'db' | 'passwords'>,
  name: string,
): Promise<{ id: number; username: string; password: string }> {
  const password = randomBytes(15).toString('base64url')
  const passwordHash = await passwords.hash(password)
  return inTransaction(db, async (tx) => {
    const lower = name.toLowerCase()
    const [user] = await tx
      .update(users)
      .set({ passwordHash, mustChangePassword: true })
      .where(or(eq(sql`lower(${users.username})`, lower), eq(sql`lower(${users.email})`, lower)))
      .returning({ id: users.id, username: users.username, email: users.email })
    if (!user) throw new Error(`Nobody has the username or e-mail address ${name}.`)
    await endSessionsOf(tx, user.id)
    await enqueueMail(tx, {
      dedupeKey: `password_reset_by_admin:cli:${user.id}:${randomBytes(6).toString('hex')}`,
      userId: user.id,
      recipient: user.email,
      template: 'password_reset_by_admin',
      data: { username: user.username },
    })
    await audit(tx, { actorId: null, action: 'user.reset_password', targetType: 'user', targetId: user.id, after: { mustChangePassword: true } })
    return { id: user.id, username: user.username, password }
  })
}
