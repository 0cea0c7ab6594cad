import { eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { Refusal } from '#server/errors.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import { factorsEndedByMail, removeCredentials, removedFacts } from '#server/session/credentials.ts'
import { endSessionsOf } from '#server/session/session.ts'
import { brokenLinkMessage, removedSentence, resetDoneMessage } from '../../rules.ts'
import { holderOf, spendToken } from '../mailed-token.ts'
import type { Request, Vault } from './confirm-password.ts'
import { mustChangeWeak, refuseGuessablePassword } from './refuse-guessable-password.ts'

const broken = (): never => {
  throw new Refusal(400, 'broken_link', brokenLinkMessage)
}

/**
 * Sets a new password with a mailed token. It works once; every session and passkey ends, and a second factor as `factorsEndedByMail` says. The
 * address counts as verified, and the user gets a mail. Throws 400 with one message for a used, late, replaced or guessed token, and like `refuseGuessablePassword`.
 */
export async function confirmPasswordReset(
  { db, limits, passwords }: Vault,
  { token, newPassword }: { token: string; newPassword: string },
  { caller, requestId }: Request,
): Promise<{ message: string }> {
  const holder = (await holderOf(db, 'reset_password', token)) ?? broken()
  const strongPassword = await refuseGuessablePassword(db, newPassword, holder, 'newPassword')
  const passwordHash = await passwords.hash(newPassword)
  const removed = await inTransaction(db, async (tx) => {
    // The row first, as every change of an account does: whoever holds it finds the token used or not, never half.
    const [user] = await tx
      .select({ email: users.email })
      .from(users)
      .where(eq(users.id, holder.id))
      .for('no key update')
    if (!user || !(await spendToken(tx, 'reset_password', token))) broken()
    // Before the address counts as confirmed: the rule asks whether it did.
    const taken = removedFacts(await removeCredentials(tx, holder.id, { secondFactor: factorsEndedByMail }))
    await tx
      .update(users)
      .set({
        passwordHash,
        strongPassword,
        mustChangePassword: mustChangeWeak(strongPassword),
        emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, now())`,
      })
      .where(eq(users.id, holder.id))
    await endSessionsOf(tx, holder.id)
    await enqueueMail(tx, {
      dedupeKey: `password_changed:${requestId}`,
      userId: holder.id,
      recipient: holder.email,
      template: 'password_changed',
      data: { username: holder.username, removed: taken },
    })
    await audit(tx, {
      actorId: holder.id,
      action: 'user.confirm_password_reset',
      targetType: 'user',
      targetId: holder.id,
      after: { removed: taken },
      requestId,
    })
    return taken
  })
  await limits.forgetFailures([holder.username, holder.email], caller.ip)
  return { message: [resetDoneMessage, removedSentence(removed)].filter(Boolean).join(' ') }
}
