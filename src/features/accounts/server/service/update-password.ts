import { asc, eq } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import { passkeys, users } from '#server/db/tables.ts'
import { invalid } from '#server/errors.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import { removeCredentials, removedFacts, unconfirmedFactor } from '#server/session/credentials.ts'
import { endDevicesOf } from '#server/session/devices.ts'
import { endSessionsOf, openSession, type SessionUser } from '#server/session/session.ts'
import { userView } from '#server/session/user-view.ts'
import type { User } from '../../contract.ts'
import { samePasswordMessage } from '../../rules.ts'
import { revokeTokens } from '../mailed-token.ts'
import { type AccountContext, type RequestContext, withPassword } from './confirm-password.ts'
import { mustChangeWeakPassword, refuseGuessablePassword } from './refuse-guessable-password.ts'

type PasswordChange = {
  currentPassword: string
  newPassword: string
  removePasskeys?: boolean | undefined
  keepDevices?: boolean | undefined
}

/**
 * Changes the password of a user who enters the current one. Ends all sessions and, with `removePasskeys`, removes all passkeys. The browser that
 * made the request continues with the returned session token. The user gets an email that lists removed and remaining passkeys. Throws like
 * `withPassword`, and 400 on `newPassword` for an unchanged or guessable password.
 */
export async function updatePassword(
  ctx: AccountContext,
  user: SessionUser,
  input: PasswordChange,
  request: RequestContext,
): Promise<{ user: User; token: string }> {
  if (input.newPassword === input.currentPassword) invalid('newPassword', samePasswordMessage, 'same_password')
  const strongPassword = await refuseGuessablePassword(
    ctx.db,
    input.newPassword,
    { ...user, role: user.accountRole },
    'newPassword',
  )
  const { caller, requestId } = request
  return withPassword(ctx, user, input.currentPassword, request, async () => {
    const passwordHash = await ctx.passwords.hash(input.newPassword)
    return async (tx) => {
      const [after] = await tx
        .update(users)
        .set({ passwordHash, strongPassword, mustChangePassword: mustChangeWeakPassword(strongPassword) })
        .where(eq(users.id, user.id))
        .returning(userView)
      await endSessionsOf(tx, user.id)
      if (!input.keepDevices) await endDevicesOf(tx, user.id)
      await revokeTokens(tx, 'reset_password', user.id)
      const removed = input.removePasskeys
        ? removedFacts(await removeCredentials(tx, user.id, { secondFactor: unconfirmedFactor }))
        : {}
      const remaining = await tx
        .select({ name: passkeys.name })
        .from(passkeys)
        .where(eq(passkeys.userId, user.id))
        .orderBy(asc(passkeys.id))
      await enqueueMail(tx, {
        dedupeKey: `password_changed:${requestId}`,
        userId: user.id,
        recipient: user.email,
        template: 'password_changed',
        data: { username: user.username, removed, kept: remaining.map(({ name }) => name) },
      })
      await audit(tx, {
        actorId: user.id,
        action: 'user.update_password',
        targetType: 'user',
        targetId: user.id,
        ...(Object.keys(removed).length > 0 && { after: { removed } }),
        requestId,
      })
      return { user: after!, token: await openSession(tx, user, caller) }
    }
  })
}
