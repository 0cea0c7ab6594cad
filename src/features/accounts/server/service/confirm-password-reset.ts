import { eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { Refusal } from '#server/errors.ts'
import { enqueueMail } from '#server/mail.ts'
import { endSessionsOf } from '#server/session.ts'
import { brokenLinkMessage, resetDoneMessage } from '../../rules.ts'
import { holderOf, spendToken } from '../mailed-token.ts'
import type { Request, Vault } from './confirm-password.ts'
import { refuseGuessablePassword } from './refuse-guessable-password.ts'

const broken = (): never => {
  throw new Refusal(400, 'broken_link', brokenLinkMessage)
}

/**
 * Sets a new password with a mailed token. It works once; every session ends, the address counts as verified, the user is told
 * by mail. Throws 400 in the same words for a used, late, replaced or guessed token, and like `refuseGuessablePassword`.
 */
export async function confirmPasswordReset(
  { db, limits, passwords }: Vault,
  { token, newPassword }: { token: string; newPassword: string },
  { caller, requestId }: Request,
): Promise<{ message: string }> {
  const holder = (await holderOf(db, 'reset_password', token)) ?? broken()
  await refuseGuessablePassword(db, newPassword, holder, 'newPassword')
  const passwordHash = await passwords.hash(newPassword)
  await inTransaction(db, async (tx) => {
    // The row first, as every change of an account does: whoever holds it finds the token used or not, never half.
    const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, holder.id)).for('no key update')
    if (!user || !(await spendToken(tx, 'reset_password', token))) broken()
    await tx
      .update(users)
      .set({ passwordHash, mustChangePassword: false, emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, now())` })
      .where(eq(users.id, holder.id))
    await endSessionsOf(tx, holder.id)
    await enqueueMail(tx, {
      dedupeKey: `password_changed:${requestId}`,
      userId: holder.id,
      recipient: holder.email,
      template: 'password_changed',
      data: { username: holder.username },
    })
    await audit(tx, { actorId: holder.id, action: 'user.confirm_password_reset', targetType: 'user', targetId: holder.id, requestId })
  })
  await limits.forgetFailures([holder.username, holder.email], caller.ip)
  return { message: resetDoneMessage }
}
