import { eq } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import type { Caller } from '#server/http/request.ts'
import { changed } from '#server/live/notify.ts'
import { endSession, openViewingSession, type SessionUser, userOfToken } from '#server/session/session.ts'

/**
 * Opens a read-only session of fifteen minutes in which an administrator views the site as a customer, and audits this. Returns the token and the
 * end of that session; the administrator's own session stays open. Throws 404 for an unknown user, and 409 for an administrator.
 */
export async function startViewing(
  db: Db,
  userId: number,
  admin: SessionUser,
  caller: Caller,
  requestId: string,
): Promise<{ token: string; until: string }> {
  return inTransaction(db, async (tx) => {
    const [user] = await tx.select({ role: users.role }).from(users).where(eq(users.id, userId)).for('no key update')
    if (!user) return notFound('User not found')
    if (user.role !== 'user')
      conflict('not_a_customer', 'You can only view the site as a customer, not as an administrator.')
    const opened = await openViewingSession(tx, { userId, adminId: admin.id }, caller)
    await audit(tx, {
      actorId: admin.id,
      action: 'user.start_view',
      targetType: 'user',
      targetId: userId,
      after: { until: opened.until },
      requestId,
    })
    await changed(tx, 'viewing', { user: userId })
    return opened
  })
}

type StoppedView = { userId: number | null; signedIn: boolean }

/**
 * Ends the view if it is still active. Returns the viewed customer, whether the administrator is still logged in, and which session this browser
 * gets: the administrator's own session (`own`), its current session (`same`) or no session (`none`).
 */
export async function stopViewing(
  db: Db,
  { sessionToken, ownToken }: Caller,
  requestId: string,
): Promise<{ stopped: StoppedView; nextSession: 'own' | 'same' | 'none' }> {
  const [current, own] = [await userOfToken({ db }, sessionToken), await userOfToken({ db }, ownToken)]
  if (current && !current.viewedBy) return { stopped: { userId: null, signedIn: true }, nextSession: 'same' }
  if (!current?.viewedBy)
    return { stopped: { userId: null, signedIn: own !== null }, nextSession: own ? 'own' : 'none' }
  const { id: userId, viewedBy: adminId } = current
  await inTransaction(db, async (tx) => {
    await endSession(tx, sessionToken)
    await audit(tx, { actorId: adminId, action: 'user.stop_view', targetType: 'user', targetId: userId, requestId })
    await changed(tx, 'viewing', { user: userId })
  })
  const signedIn = own?.id === adminId
  return { stopped: { userId, signedIn }, nextSession: signedIn ? 'own' : 'none' }
}
