import { eq } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { changed } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import type { Approver } from '#server/session/actor.ts'
import { anyFactor, removeCredentials, removedFacts, unconfirmedFactor } from '#server/session/credentials.ts'
import { endDevicesOf } from '#server/session/devices.ts'
import { endSessionsOf } from '#server/session/session.ts'
import type { AdminUser } from '../../admin-contract.ts'
import { administratorsAccountMessage, ownPasswordMessage } from '../../rules.ts'
import { revokeTokens } from '../mailed-token.ts'
import { adminUser } from '../user-view.ts'
import { lockUserAndAdmin, refuseStaffAccount } from './lock-user-and-admin.ts'
import { refuseGuessablePassword } from './refuse-guessable-password.ts'

type NewPassword = { newPassword: string; removeTwoFactor?: boolean | undefined }

/**
 * Sets a user's password for one login, after which the user must choose another one. Ends the user's sessions and sockets, and removes passkeys,
 * emailed links and, with `removeTwoFactor`, the second factor. The user gets an email without the password. Throws 403 when the actor is no longer an
 * administrator or resets a staff member without being an owner, 404, 409 for the actor's own account and, without `selfApproval`, for another
 * administrator's, 503 when the hashing queue is full, and like `refuseGuessablePassword`.
 */
export async function resetPassword(
  { db, passwords }: Pick<AppContext, 'db' | 'passwords'>,
  userId: number,
  input: NewPassword,
  actor: Approver,
): Promise<AdminUser> {
  const { newPassword, removeTwoFactor = false } = input
  if (userId === actor.admin.id) conflict('own_account', ownPasswordMessage)
  const target = await adminUser(db, userId)
  refuseStaffAccount(target, actor)
  if (target.role === 'admin' && !actor.selfApproval) conflict('administrators_account', administratorsAccountMessage)
  const strongPassword = await refuseGuessablePassword(db, newPassword, target, 'newPassword')
  const passwordHash = await passwords.hash(newPassword)
  return inTransaction(db, async (tx) => {
    // Before any row is locked, because this waits until the user's running requests have ended.
    await endSessionsOf(tx, userId)
    const { user } = await lockUserAndAdmin(tx, userId, actor)
    refuseStaffAccount(user, actor)
    if (user.role === 'admin' && !actor.selfApproval) conflict('administrators_account', administratorsAccountMessage)
    await tx.update(users).set({ passwordHash, strongPassword, mustChangePassword: true }).where(eq(users.id, userId))
    // A login may have committed before the lock was taken, and may have added a device.
    await endSessionsOf(tx, userId)
    await endDevicesOf(tx, userId)
    await revokeTokens(tx, 'reset_password', userId)
    const removed = removedFacts(
      await removeCredentials(tx, userId, { secondFactor: removeTwoFactor ? anyFactor : unconfirmedFactor }),
    )
    await enqueueMail(tx, {
      dedupeKey: `password_reset_by_admin:${actor.requestId}`,
      userId,
      recipient: user.email,
      template: 'password_reset_by_admin',
      data: { username: user.username, removed },
    })
    await audit(tx, {
      actorId: actor.admin.id,
      action: 'user.reset_password',
      targetType: 'user',
      targetId: userId,
      after: { mustChangePassword: true, removed },
      requestId: actor.requestId,
    })
    await changed(tx, 'user', { user: userId })
    return adminUser(tx, userId)
  })
}
