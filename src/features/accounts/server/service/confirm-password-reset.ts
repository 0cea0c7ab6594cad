import { eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { Refusal } from '#server/errors.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import { factorsEndedByMail, removeCredentials, removedFacts } from '#server/session/credentials.ts'
import { endDevicesOf } from '#server/session/devices.ts'
import { endSessionsOf } from '#server/session/session.ts'
import { brokenLinkMessage, passwordResetMessage, removedCredentialsMessage } from '../../rules.ts'
import { consumeToken, findTokenHolder } from '../mailed-token.ts'
import type { AccountContext, RequestContext } from './confirm-password.ts'
import { mustChangeWeakPassword, refuseGuessablePassword } from './refuse-guessable-password.ts'

const throwBrokenLink = (): never => {
  throw new Refusal(400, 'broken_link', brokenLinkMessage)
}

/**
 * Sets a new password with an emailed one-time token. Ends all sessions and removes all passkeys, and the second factor if `factorsEndedByMail`
 * matches it. The address counts as verified, and the user gets an email. Throws 400 with the same message for a used, expired, replaced or invalid
 * token, and like `refuseGuessablePassword`.
 */
export async function confirmPasswordReset(
  { db, limits, passwords }: AccountContext,
  { token, newPassword }: { token: string; newPassword: string },
  { caller, requestId }: RequestContext,
): Promise<{ message: string }> {
  const holder = (await findTokenHolder(db, 'reset_password', token)) ?? throwBrokenLink()
  const strongPassword = await refuseGuessablePassword(db, newPassword, holder, 'newPassword')
  const passwordHash = await passwords.hash(newPassword)
  const removed = await inTransaction(db, async (tx) => {
    // Lock the user's row first, as every account change does: a concurrent request then sees the token either used or unused.
    const [user] = await tx
      .select({ email: users.email })
      .from(users)
      .where(eq(users.id, holder.id))
      .for('no key update')
    if (!user || !(await consumeToken(tx, 'reset_password', token))) throwBrokenLink()
    // Before the address is marked as confirmed, because the rule depends on whether it was.
    const removedCredentials = removedFacts(
      await removeCredentials(tx, holder.id, { secondFactor: factorsEndedByMail }),
    )
    await tx
      .update(users)
      .set({
        passwordHash,
        strongPassword,
        mustChangePassword: mustChangeWeakPassword(strongPassword),
        emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, now())`,
      })
      .where(eq(users.id, holder.id))
    await endSessionsOf(tx, holder.id)
    await endDevicesOf(tx, holder.id)
    await enqueueMail(tx, {
      dedupeKey: `password_changed:${requestId}`,
      userId: holder.id,
      recipient: holder.email,
      template: 'password_changed',
      data: { username: holder.username, removed: removedCredentials },
    })
    await audit(tx, {
      actorId: holder.id,
      action: 'user.confirm_password_reset',
      targetType: 'user',
      targetId: holder.id,
      after: { removed: removedCredentials },
      requestId,
    })
    return removedCredentials
  })
  await limits.forgetFailures([holder.username, holder.email], caller.ip)
  return { message: [passwordResetMessage, removedCredentialsMessage(removed)].filter(Boolean).join(' ') }
}
