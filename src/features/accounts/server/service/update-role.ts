import { eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { changed, notifySessionsChanged } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import {
  isConfirmedBySecondAdministrator,
  mailAdministrators,
  needsSecondAdministrator,
} from '#server/session/administrators.ts'
import { awaitAdminTransactions } from '#server/session/session-guard.ts'
import type { AdminUser } from '../../admin-contract.ts'
import { lastAdminMessage } from '../../rules.ts'
import { adminUser } from '../user-view.ts'
import { lockUserAndAdmin } from './lock-user-and-admin.ts'

/**
 * Changes a user's role from their next request on: sessions stay open, and sockets reconnect with the new role. A new administrator whose
 * password is guessable or was never checked must change it first. All administrators are emailed about a new administrator. With
 * `needsSecond`, a promotion takes effect when a second administrator requests it too. Throws 403 when the actor is no longer an administrator,
 * 404, and 409 for the last administrator and for a promotion that waits for the second administrator.
 */
export async function updateRole(
  db: Db,
  userId: number,
  role: AdminUser['role'],
  actor: Actor & { needsSecond: boolean },
): Promise<AdminUser> {
  const updated = await inTransaction(db, async (tx) => {
    await awaitAdminTransactions(tx, userId)
    // Lock all administrators: of two who demote each other concurrently, the second waits and then sees who is left.
    const { user, admins } = await lockUserAndAdmin(tx, userId, actor, { everyAdmin: true })
    if (user.role === role) return adminUser(tx, userId)
    if (user.role === 'admin' && admins.length === 1) conflict('last_admin', lastAdminMessage)
    const about = `${user.username}, ${user.email}`
    if (role === 'admin' && actor.needsSecond) {
      // Including the email address: the confirmation applies to the account as the first administrator saw it.
      const isConfirmedTwice = await isConfirmedBySecondAdministrator(
        tx,
        { action: 'promote', target: userId, what: user.email, about: `New administrator: ${about}` },
        actor,
      )
      if (!isConfirmedTwice) return undefined
    }
    await tx
      .update(users)
      .set({
        role,
        ...(role === 'admin' && {
          mustChangePassword: sql`${users.mustChangePassword} or not ${users.strongPassword}`,
        }),
      })
      .where(eq(users.id, userId))
    await audit(tx, {
      actorId: actor.admin.id,
      action: 'user.update_role',
      targetType: 'user',
      targetId: userId,
      before: { role: user.role },
      after: { role },
      requestId: actor.requestId,
    })
    if (role === 'admin')
      await mailAdministrators(tx, { event: 'administrator_added', about, actor: actor.admin, key: actor.requestId })
    await changed(tx, 'user', { user: userId })
    await notifySessionsChanged(tx, userId)
    return adminUser(tx, userId)
  })
  return updated ?? needsSecondAdministrator()
}
