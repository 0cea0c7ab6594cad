import { eq } from 'drizzle-orm'
import { getCustomer } from '#features/customers/contract.ts'
import { audit } from '#server/audit.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import type { House } from '#server/http.ts'
import { enqueueMail } from '#server/mail.ts'
import { notifyAdmins } from '#server/notify.ts'
import { endSessionsOf } from '#server/session.ts'
import { type AdminUser, listUsers } from '../../contract.ts'
import { ownPasswordMessage } from '../../rules.ts'
import { adminUser } from '../user-view.ts'
import { type Act, lockPeople } from './lock-people.ts'
import { refuseGuessablePassword } from './refuse-guessable-password.ts'

/**
 * Sets somebody's password for one login: they have to choose another then. Their sessions and sockets end and they are told
 * by mail, without the password. Throws 403 when the actor was demoted meanwhile, 404, 409 for one's own account, like `refuseGuessablePassword`, 503 when hashing is overbooked.
 */
export async function resetPassword({ db, passwords }: Pick<House, 'db' | 'passwords'>, userId: number, newPassword: string, act: Act): Promise<AdminUser> {
  if (userId === act.admin.id) conflict('own_account', ownPasswordMessage)
  await refuseGuessablePassword(db, newPassword, await adminUser(db, userId), 'newPassword')
  const passwordHash = await passwords.hash(newPassword)
  return inTransaction(db, async (tx) => {
    // Before any row is held: what the user has under way comes to its end first.
    await endSessionsOf(tx, userId)
    const { user } = await lockPeople(tx, userId, act)
    await tx.update(users).set({ passwordHash, mustChangePassword: true }).where(eq(users.id, userId))
    // A login may have been faster than the lock.
    await endSessionsOf(tx, userId)
    await enqueueMail(tx, {
      dedupeKey: `password_reset_by_admin:${act.requestId}`,
      userId,
      recipient: user.email,
      template: 'password_reset_by_admin',
      data: { username: user.username },
    })
    await audit(tx, {
      actorId: act.admin.id,
      action: 'user.reset_password',
      targetType: 'user',
      targetId: userId,
      after: { mustChangePassword: true },
      requestId: act.requestId,
    })
    await notifyAdmins(tx, [listUsers.id, getCustomer.id])
    return adminUser(tx, userId)
  })
}
