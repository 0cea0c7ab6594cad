import { eq } from 'drizzle-orm'
import { getCustomer } from '#features/customers/contract.ts'
import { audit } from '#server/audit.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { notifyAdmins } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import type { Actor } from '#server/session/actor.ts'
import { anyFactor, removeCredentials, removedFacts, unconfirmedFactor } from '#server/session/credentials.ts'
import { endSessionsOf } from '#server/session/session.ts'
import { type AdminUser, listUsers } from '../../contract.ts'
import { administratorsAccountMessage, ownPasswordMessage } from '../../rules.ts'
import { dropTokens } from '../mailed-token.ts'
import { adminUser } from '../user-view.ts'
import { lockPeople } from './lock-people.ts'
import { refuseGuessablePassword } from './refuse-guessable-password.ts'

type NewPassword = { newPassword: string; removeTwoFactor?: boolean | undefined }

/**
 * Sets a user's password for one login: the user has to choose another one then. Ends the user's sessions, sockets, passkeys and mailed links,
 * and with `removeTwoFactor` the second factor. The user gets a mail without the password. Throws 403 when the actor is no longer an
 * administrator, 404, 409 for the actor's own account and, without `selfApproval`, for another administrator's, 503 when the hashing queue is
 * full, and like `refuseGuessablePassword`.
 */
export async function resetPassword(
  { db, passwords }: Pick<AppContext, 'db' | 'passwords'>,
  userId: number,
  given: NewPassword,
  actor: Actor & { selfApproval: boolean },
): Promise<AdminUser> {
  const { newPassword, removeTwoFactor = false } = given
  if (userId === actor.admin.id) conflict('own_account', ownPasswordMessage)
  const person = await adminUser(db, userId)
  if (person.role === 'admin' && !actor.selfApproval) conflict('administrators_account', administratorsAccountMessage)
  const strongPassword = await refuseGuessablePassword(db, newPassword, person, 'newPassword')
  const passwordHash = await passwords.hash(newPassword)
  return inTransaction(db, async (tx) => {
    // Before any row is held: what the user has under way comes to its end first.
    await endSessionsOf(tx, userId)
    const { user } = await lockPeople(tx, userId, actor)
    if (user.role === 'admin' && !actor.selfApproval) conflict('administrators_account', administratorsAccountMessage)
    await tx.update(users).set({ passwordHash, strongPassword, mustChangePassword: true }).where(eq(users.id, userId))
    // A login may have been faster than the lock.
    await endSessionsOf(tx, userId)
    await dropTokens(tx, 'reset_password', userId)
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
    await notifyAdmins(tx, [listUsers.id, getCustomer.id])
    return adminUser(tx, userId)
  })
}
