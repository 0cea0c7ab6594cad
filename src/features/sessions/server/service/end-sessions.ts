import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { notFound } from '#server/errors.ts'
import { endSessionById, endSessionsOf } from '#server/session/session.ts'

/** Ends one session of a user and closes its sockets. Throws 404 with the same message for an ended session and for another user's session. */
export async function endSession(
  db: Db,
  userId: number,
  sessionId: number,
  requestId: string,
): Promise<{ message: string }> {
  await inTransaction(db, async (tx) => {
    if (!(await endSessionById(tx, userId, sessionId))) notFound('This session has already ended')
    await audit(tx, { actorId: userId, action: 'session.end', targetType: 'session', targetId: sessionId, requestId })
  })
  return { message: 'This device has been logged out.' }
}

/** Ends all sessions of a user except the one with this token. Returns the number of ended sessions. */
export async function endOtherSessions(
  db: Db,
  userId: number,
  token: string | undefined,
  requestId: string,
): Promise<{ ended: number }> {
  return inTransaction(db, async (tx) => {
    const ended = await endSessionsOf(tx, userId, { except: token })
    if (ended > 0)
      await audit(tx, {
        actorId: userId,
        action: 'session.end_others',
        targetType: 'user',
        targetId: userId,
        after: { ended },
        requestId,
      })
    return { ended }
  })
}
