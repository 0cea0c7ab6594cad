import { eq } from 'drizzle-orm'
import { getCustomer } from '#features/customers/contract.ts'
import { awaitActsOf } from '#server/acting.ts'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { notifyAdmins, notifyUser } from '#server/notify.ts'
import { type AdminUser, currentUser, listUsers } from '../../contract.ts'
import { lastAdminMessage } from '../../rules.ts'
import { adminUser } from '../user-view.ts'
import { type Act, lockPeople } from './lock-people.ts'

/**
 * Makes somebody an administrator or a regular user again. It acts with their next request: sessions stay, sockets come
 * back as who they are now. Throws 403 when the actor was demoted meanwhile, 404, and 409 for the last administrator.
 */
export async function updateRole(db: Db, userId: number, role: AdminUser['role'], act: Act): Promise<AdminUser> {
  return inTransaction(db, async (tx) => {
    await awaitActsOf(tx, userId)
    // All of them: two administrators who demote each other at once wait for one another, and the second finds who is left.
    const { user, admins } = await lockPeople(tx, userId, act, { everyAdmin: true })
    if (user.role === role) return adminUser(tx, userId)
    if (user.role === 'admin' && admins.length === 1) conflict('last_admin', lastAdminMessage)
    await tx.update(users).set({ role }).where(eq(users.id, userId))
    await audit(tx, {
      actorId: act.admin.id,
      action: 'user.update_role',
      targetType: 'user',
      targetId: userId,
      before: { role: user.role },
      after: { role },
      requestId: act.requestId,
    })
    await notifyUser(tx, userId, [currentUser.id])
    await notifyUser(tx, userId, [])
    await notifyAdmins(tx, [listUsers.id, getCustomer.id])
    return adminUser(tx, userId)
  })
}
