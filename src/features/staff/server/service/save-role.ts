import { asc, count, eq, isNull, sql } from 'drizzle-orm'
import { isOwner, lockUserAndAdmin } from '#features/accounts/server/service/lock-user-and-admin.ts'
import { audit, changedFields } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { adminRequests, sessions, staffRolePermissions, staffRoles, users } from '#server/db/tables.ts'
import { conflict, invalid, notAllowed, notFound } from '#server/errors.ts'
import { changed, notifySessionsChanged } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import {
  isConfirmedBySecondAdministrator,
  needsSecondAdministrator,
  notifyOwners,
} from '#server/session/administrators.ts'
import { awaitAdminTransactions } from '#server/session/session-guard.ts'
import type { StaffRoleFields, StaffRoleRow } from '../../admin-contract.ts'
import { builtInRoleMessage, maxRoles, staleRoleMessage } from '../../rules.ts'
import { roleById } from './read-staff.ts'

/** Adds a role. Throws 403 if the actor is no longer an owner, 400 if the name is taken, and 409 `too_many_roles` beyond `maxRoles`. */
export async function createRole(db: Db, fields: StaffRoleFields, actor: Actor): Promise<StaffRoleRow> {
  return refusingTakenNames(() =>
    inTransaction(db, async (tx) => {
      await lockOwner(tx, actor)
      const [own] = await tx.select({ count: count() }).from(staffRoles).where(isNull(staffRoles.key))
      if (own!.count >= maxRoles) conflict('too_many_roles', `You can add at most ${maxRoles} roles.`)
      const { permissions, ...named } = fields
      const [role] = await tx.insert(staffRoles).values(named).returning({ id: staffRoles.id })
      await savePermissions(tx, role!.id, permissions)
      await audit(tx, { ...auditOf(role!.id, actor), action: 'staff_role.create', after: auditFields(fields) })
      await changed(tx, 'staff_role')
      return roleById(tx, role!.id)
    }),
  )
}

/**
 * Changes a role, effective from the next request of its members; their sockets reconnect. All owners are emailed. With `needsSecond`, new
 * permissions of a role that has members take effect when a second owner makes the same change. Throws 403 if the actor is no longer an owner, 404
 * for an unknown role, 400 if the name is taken, and 409 for a built-in role, an outdated version, and a change that needs a second owner.
 */
export async function updateRole(
  db: Db,
  roleId: number,
  { version, ...fields }: StaffRoleFields & { version: number },
  actor: Actor & { needsSecond: boolean },
): Promise<StaffRoleRow> {
  const updated = await refusingTakenNames(() =>
    inTransaction(db, async (tx) => {
      const before = await lockRole(tx, roleId, version)
      const members = await tx
        .select({ id: users.id })
        .from(users)
        .where(eq(users.staffRoleId, roleId))
        .orderBy(asc(users.id))
      for (const { id } of members) await awaitAdminTransactions(tx, id)
      await lockOwner(tx, actor)
      const added = fields.permissions.filter((permission) => !before.permissions.includes(permission))
      if (actor.needsSecond && members.length > 0 && added.length > 0) {
        const isConfirmedTwice = await isConfirmedBySecondAdministrator(
          tx,
          {
            action: 'staff_role',
            target: roleId,
            what: [...fields.permissions].sort(),
            about: `Permissions of the role ${before.name}: also ${added.join(', ')}`,
          },
          actor,
        )
        if (!isConfirmedTwice) return undefined
      }
      const { permissions, ...named } = fields
      await tx
        .update(staffRoles)
        .set({ ...named, version: sql`${staffRoles.version} + 1` })
        .where(eq(staffRoles.id, roleId))
      await savePermissions(tx, roleId, permissions)
      await audit(tx, {
        ...auditOf(roleId, actor),
        action: 'staff_role.update',
        ...changedFields(auditFields(before), auditFields(fields)),
      })
      await notifyOwners(tx, {
        event: 'staff_role_changed',
        about: `${named.name}, ${members.length === 1 ? '1 member' : `${members.length} members`}`,
        actor: actor.admin,
        key: actor.requestId,
      })
      for (const { id } of members) {
        // The member's views as a customer, and requests for a second administrator, were started with the previous permissions.
        await tx.delete(sessions).where(eq(sessions.impersonatedBy, id))
        await tx.delete(adminRequests).where(eq(adminRequests.requestedBy, id))
        await changed(tx, 'user', { user: id })
        await notifySessionsChanged(tx, id)
      }
      await changed(tx, 'staff_role')
      return roleById(tx, roleId)
    }),
  )
  return updated ?? needsSecondAdministrator()
}

/**
 * Deletes a role. Throws 403 if the actor is no longer an owner, 404 for an unknown role, and 409 for a built-in role, a role with members and an
 * outdated version.
 */
export async function deleteRole(db: Db, roleId: number, version: number, actor: Actor): Promise<{ id: number }> {
  return inTransaction(db, async (tx) => {
    const before = await lockRole(tx, roleId, version)
    await lockOwner(tx, actor)
    if (before.members > 0) conflict('role_in_use', 'Staff members have this role. Give them another role first.')
    await tx.delete(staffRoles).where(eq(staffRoles.id, roleId))
    await audit(tx, { ...auditOf(roleId, actor), action: 'staff_role.delete', before: auditFields(before) })
    await changed(tx, 'staff_role')
    return { id: roleId }
  })
}

async function lockOwner(tx: Tx, actor: Actor): Promise<void> {
  const { user } = await lockUserAndAdmin(tx, actor.admin.id, actor)
  if (!isOwner(user)) notAllowed('Only owners can change roles', 'owners_only')
}

async function lockRole(tx: Tx, roleId: number, version: number): Promise<StaffRoleRow> {
  const [locked] = await tx.select().from(staffRoles).where(eq(staffRoles.id, roleId)).for('update')
  if (!locked) return notFound('Role not found')
  if (locked.key !== null) conflict('built_in_role', builtInRoleMessage)
  if (locked.version !== version) conflict('stale', staleRoleMessage)
  return roleById(tx, roleId)
}

async function savePermissions(tx: Tx, roleId: number, permissions: StaffRoleFields['permissions']): Promise<void> {
  await tx.delete(staffRolePermissions).where(eq(staffRolePermissions.roleId, roleId))
  await tx.insert(staffRolePermissions).values([...new Set(permissions)].map((permission) => ({ roleId, permission })))
}

const auditOf = (targetId: number, { admin, requestId }: Actor) => ({
  actorId: admin.id,
  targetType: 'staff_role',
  targetId,
  requestId,
})
const auditFields = ({ name, description, permissions }: StaffRoleFields) => ({
  name,
  description,
  permissions: [...permissions].sort(),
})

/** Throws 400 on `name` if another role has it. */
async function refusingTakenNames<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violationOf(error)?.constraint === 'staff_roles_name')
      invalid('name', 'Another role has this name', 'name_taken')
    throw error
  }
}
