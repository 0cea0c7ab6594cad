import { asc, eq, inArray, or } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { users } from '#server/db/tables.ts'
import { notAllowed, notFound } from '#server/errors.ts'
import type { Actor } from '#server/session/actor.ts'

type Locked = { id: number; username: string; email: string; role: 'user' | 'admin' }

/**
 * Holds the rows of a user and of the administrator who acts on them, by ascending id, until the transaction ends; with
 * `everyAdmin` those of all administrators too. Throws 403 when the actor was demoted meanwhile, 404 for an unknown user.
 */
export async function lockPeople(
  tx: Tx,
  userId: number,
  { admin }: Pick<Actor, 'admin'>,
  { everyAdmin = false } = {},
): Promise<{ user: Locked; admins: Locked[] }> {
  const { id, username, email, role } = users
  const both = inArray(id, [admin.id, userId])
  const held = await tx
    .select({ id, username, email, role })
    .from(users)
    .where(everyAdmin ? or(eq(role, 'admin'), both) : both)
    .orderBy(asc(id))
    .for('no key update')
  const admins = held.filter((person) => person.role === 'admin')
  if (!admins.some((person) => person.id === admin.id)) notAllowed('Only administrators can do this', 'admins_only')
  return { user: held.find((person) => person.id === userId) ?? notFound('User not found'), admins }
}
