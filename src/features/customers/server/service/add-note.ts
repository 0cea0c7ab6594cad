import { eq } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'

/** Adds an internal note about a user. It is an audit entry, so it cannot be changed or removed. Throws 404 for an unknown user. */
export async function addNote(db: Db, userId: number, note: string, actor: Actor): Promise<{ added: boolean }> {
  await inTransaction(db, async (tx) => {
    const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('key share')
    if (!user) return notFound('User not found')
    await audit(tx, {
      actorId: actor.admin.id,
      action: 'user.add_note',
      targetType: 'user',
      targetId: userId,
      after: { note },
      requestId: actor.requestId,
    })
    await changed(tx, 'user_note')
  })
  return { added: true }
}
