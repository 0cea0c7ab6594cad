import { eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { adminRequests, sessions, staffRoles, users } from '#server/db/tables.ts'
import { conflict, notAllowed, notFound } from '#server/errors.ts'
import { changed, notifySessionsChanged } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import {
  isConfirmedBySecondAdministrator,
  needsSecondAdministrator,
  notifyOwners,
} from '#server/session/administrators.ts'
import { awaitAdminTransactions } from '#server/session/session-guard.ts'
import type { AdminUser } from '../../admin-contract.ts'
import { lastAdminMessage } from '../../rules.ts'
import { adminUser } from '../user-view.ts'
import { isOwner, lockUserAndAdmin } from './lock-user-and-admin.ts'

/** An owner, a customer, or a staff member with a role. */
export type NewRole = 'owner' | 'customer' | { staffRoleId: number }

/**
 * Changes what an account may do from its next request on: sessions stay open, and sockets reconnect with the new role. A new staff member whose
 * password is guessable or was never checked must change it first. All owners are emailed about a new owner or staff member. With `needsSecond`, a
 * change that gives permissions takes effect when a second owner requests it too. With `keepsStaffRole`, making a staff member an administrator
 * changes nothing, because staff members already are administrators. Throws 403 when the actor is no longer an owner, 404, and 409 for the last
 * owner and for a change that waits for the second owner.
 */
export async function setRole(
  db: Db,
  userId: number,
  to: NewRole,
  actor: Actor & { needsSecond: boolean; keepsStaffRole?: boolean },
): Promise<AdminUser> {
  const updated = await inTransaction(db, async (tx) => {
    await awaitAdminTransactions(tx, userId)
    // Locks all administrators, so that two owners who demote each other at the same time cannot both succeed.
    const { user, admins } = await lockUserAndAdmin(tx, userId, actor, { everyAdmin: true })
    const owners = admins.filter(isOwner)
    if (!owners.some(({ id }) => id === actor.admin.id)) notAllowed('Only owners can change roles', 'owners_only')
    const roleId = typeof to === 'object' ? to.staffRoleId : null
    const role = to === 'customer' ? 'user' : 'admin'
    const [staffRole] = roleId
      ? await tx
          .select({ name: staffRoles.name, version: staffRoles.version })
          .from(staffRoles)
          .where(eq(staffRoles.id, roleId))
          .for('key share')
      : [null]
    if (staffRole === undefined) return notFound('Role not found')
    if (user.role === role && (actor.keepsStaffRole || user.staffRoleId === roleId)) return adminUser(tx, userId)
    if (isOwner(user) && owners.length === 1) conflict('last_admin', lastAdminMessage)
    const about = `${user.username}, ${user.email}${staffRole ? `, ${staffRole.name}` : ''}`
    if (to !== 'customer' && !isOwner(user) && actor.needsSecond) {
      // Includes the email address and the version of the role, so that the second owner confirms exactly what the first owner saw.
      const isConfirmedTwice = await isConfirmedBySecondAdministrator(
        tx,
        {
          action: 'promote',
          target: userId,
          what: staffRole ? [user.email, roleId, staffRole.version] : user.email,
          about: `${staffRole ? 'Role of a staff member' : 'New administrator'}: ${about}`,
        },
        actor,
      )
      if (!isConfirmedTwice) return undefined
    }
    const [before] = await tx
      .select({ name: staffRoles.name })
      .from(staffRoles)
      .where(eq(staffRoles.id, user.staffRoleId ?? 0))
    await tx
      .update(users)
      .set({
        role,
        staffRoleId: roleId,
        ...(role === 'admin' && {
          mustChangePassword: sql`${users.mustChangePassword} or not ${users.strongPassword}`,
        }),
      })
      .where(eq(users.id, userId))
    // Ends an impersonation, because it was started with the previous role.
    await tx.delete(sessions).where(eq(sessions.impersonatedBy, userId))
    // A request that was made with the previous role must not count as the confirmation of a second administrator.
    await tx.delete(adminRequests).where(eq(adminRequests.requestedBy, userId))
    await audit(tx, {
      actorId: actor.admin.id,
      action: 'user.update_role',
      targetType: 'user',
      targetId: userId,
      before: { role: user.role, ...(before && { staffRole: before.name }) },
      after: { role, ...(staffRole && { staffRole: staffRole.name }) },
      requestId: actor.requestId,
    })
    if (role === 'admin')
      await notifyOwners(tx, {
        event: staffRole ? 'staff_changed' : 'administrator_added',
        about,
        actor: actor.admin,
        key: actor.requestId,
      })
    await changed(tx, ['user', 'staff_role'], { user: userId })
    await notifySessionsChanged(tx, userId)
    return adminUser(tx, userId)
  })
  return updated ?? needsSecondAdministrator()
}
