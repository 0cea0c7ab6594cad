import { createHash, randomBytes } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { lines, sessions } from '#server/db/tables.ts'
import { conflict, Refusal } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { KeyOrRing } from '#server/secrets/keys.ts'
import type { LineLogin } from '../contract.ts'
import { linkMinutes, usedLinkMessage } from '../rules.ts'
import { openPassword } from './credentials.ts'
import { findLine, isCreated, isXtream } from './own-line.ts'

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Creates a one-time link that shows the customer's line on another device. The link works for `linkMinutes` and while this session is logged in. Only its hash
 * is stored. It replaces an earlier link. Throws 409 when there is no line yet.
 */
export async function createLineLink(
  db: Db,
  userId: number,
  sessionId: number,
): Promise<{ token: string; until: string }> {
  const token = randomBytes(32).toString('base64url')
  const until = await inTransaction(db, async (tx) => {
    const line = await findLine(tx, userId)
    if (!line?.password || !isCreated(line)) return conflict('no_line', 'Your line is not ready yet.')
    const [stored] = await tx
      .update(lines)
      .set({
        linkHash: hashOf(token),
        linkExpiresAt: sql`now() + ${linkMinutes} * interval '1 minute'`,
        linkSessionId: sessionId,
      })
      .where(eq(lines.userId, userId))
      .returning({ until: lines.linkExpiresAt })
    await changed(tx, 'line', { user: userId })
    return stored!.until!
  })
  return { token, until }
}

/**
 * Uses up a one-time link and returns the line with its password; exactly one of several concurrent callers gets it. Writes an audit entry.
 * Throws 400 with the same message for a used, expired, replaced or invalid link, and one whose session has ended.
 */
export async function openLineLink(db: Db, token: string, key: () => KeyOrRing, requestId: string): Promise<LineLogin> {
  return await inTransaction(db, async (tx) => {
    const [used] = await tx
      .update(lines)
      .set({ linkHash: null, linkExpiresAt: null, linkSessionId: null })
      .where(
        and(
          eq(lines.linkHash, hashOf(token)),
          sql`${lines.linkExpiresAt} > now()`,
          sql`exists (select from ${sessions} where ${sessions.id} = ${lines.linkSessionId}
            and ${sessions.userId} = ${lines.userId} and ${sessions.expiresAt} > now())`,
        ),
      )
      .returning({ userId: lines.userId })
    const line = used && (await findLine(tx, used.userId))
    if (!line?.password || !line.username || !isCreated(line)) throw new Refusal(400, 'used_link', usedLinkMessage)
    const password = openPassword(key(), line.userId, line.password)
    await audit(tx, {
      actorId: line.userId,
      action: 'line.reveal',
      targetType: 'user',
      targetId: line.userId,
      after: { username: line.username, by: 'one-time link' },
      requestId,
    })
    await changed(tx, 'line', { user: line.userId })
    return { server: line.server || null, username: line.username, password, xtream: isXtream(line) }
  })
}
