import { asc, eq } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import { passkeys, users } from '#server/db/tables.ts'
import { invalid } from '#server/errors.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import { removeCredentials, removedFacts, unconfirmedFactor } from '#server/session/credentials.ts'
import { endSessionsOf, openSession, type SessionUser } from '#server/session/session.ts'
import type { User } from '../../contract.ts'
import { samePasswordMessage } from '../../rules.ts'
import { dropTokens } from '../mailed-token.ts'
import { userView } from '../user-view.ts'
import { type Request, type Vault, withPassword } from './confirm-password.ts'
import { mustChangeWeak, refuseGuessablePassword } from './refuse-guessable-password.ts'

type Passwords = { currentPassword: string; newPassword: string; removePasskeys?: boolean | undefined }

/**
 * Changes the password of a user who gives the current one. Every session ends, with `removePasskeys` every passkey too. This browser goes on
 * with the token that is returned. The mail to the user names the passkeys that were removed or still open the account. Throws like `withPassword`, and 400 on `newPassword` for the same one again or a common one.
 */
export async function updatePassword(
  vault: Vault,
  user: SessionUser,
  given: Passwords,
  request: Request,
): Promise<{ user: User; token: string }> {
  if (given.newPassword === given.currentPassword) invalid('newPassword', samePasswordMessage, 'same_password')
  const strongPassword = await refuseGuessablePassword(
    vault.db,
    given.newPassword,
    { ...user, role: user.accountRole },
    'newPassword',
  )
  const { caller, requestId } = request
  return withPassword(vault, user, given.currentPassword, request, async () => {
    const passwordHash = await vault.passwords.hash(given.newPassword)
    return async (tx) => {
      const [after] = await tx
        .update(users)
        .set({ passwordHash, strongPassword, mustChangePassword: mustChangeWeak(strongPassword) })
        .where(eq(users.id, user.id))
        .returning(userView)
      await endSessionsOf(tx, user.id)
      await dropTokens(tx, 'reset_password', user.id)
      const removed = given.removePasskeys
        ? removedFacts(await removeCredentials(tx, user.id, { secondFactor: unconfirmedFactor }))
        : {}
      const kept = await tx
        .select({ name: passkeys.name })
        .from(passkeys)
        .where(eq(passkeys.userId, user.id))
        .orderBy(asc(passkeys.id))
      await enqueueMail(tx, {
        dedupeKey: `password_changed:${requestId}`,
        userId: user.id,
        recipient: user.email,
        template: 'password_changed',
        data: { username: user.username, removed, kept: kept.map(({ name }) => name) },
      })
      await audit(tx, {
        actorId: user.id,
        action: 'user.update_password',
        targetType: 'user',
        targetId: user.id,
        ...(removed.passkeys && { after: { removed } }),
        requestId,
      })
      return { user: after!, token: await openSession(tx, user, caller) }
    }
  })
}
