import { asc, eq, inArray, or } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { users } from '#server/db/tables.ts'
import { notAllowed, notFound } from '#server/errors.ts'
import type { Actor } from '#server/session/actor.ts'

type LockedUser = {
  id: number
  username: string
  email: string
  role: 'user' | 'admin'
  staffRoleId: number | null
}

/**
 * Locks the rows of a user and of the acting administrator, by ascending id, until the transaction ends; with `everyAdmin` also
 * those of all administrators. Throws 403 when the actor is no longer an administrator, 404 for an unknown user.
 */
export async function lockUserAndAdmin(
  tx: Tx,
  userId: number,
  { admin }: Pick<Actor, 'admin'>,
  { everyAdmin = false } = {},
): Promise<{ user: LockedUser; admins: LockedUser[] }> {
  const { id, username, email, role, staffRoleId } = users
  const both = inArray(id, [admin.id, userId])
  const locked = await tx
    .select({ id, username, email, role, staffRoleId })
    .from(users)
    .where(everyAdmin ? or(eq(role, 'admin'), both) : both)
    .orderBy(asc(id))
    .for('no key update')
  const admins = locked.filter((user) => user.role === 'admin')
  if (!admins.some((user) => user.id === admin.id)) notAllowed('Only administrators can do this', 'admins_only')
  return { user: locked.find((user) => user.id === userId) ?? notFound('User not found'), admins }
}

/** Whether an account is an owner: an administrator without a staff role. */
export const isOwner = ({ role, staffRoleId }: Pick<LockedUser, 'role' | 'staffRoleId'>): boolean =>
  role === 'admin' && staffRoleId === null

/** Throws 403 if an actor who is not an owner changes the account of a staff member, because access to that account would give its permissions. */
export function refuseStaffAccount(target: { role: 'user' | 'admin' }, { admin }: Pick<Actor, 'admin'>): void {
  if (target.role === 'admin' && !admin.permissions.includes('staff.manage'))
    notAllowed('Only an owner can do this for a staff member.', 'owners_only')
}
