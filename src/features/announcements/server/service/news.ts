import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { announcementRecipients, announcements, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { needsConfirmedEmail } from './audience.ts'
import { hashOfToken } from './send-announcements.ts'

/** Returns whether a user wants news emails, and whether the user must confirm the address first. */
export async function readNews(db: Db, userId: number): Promise<{ wanted: boolean; needsConfirmedEmail: boolean }> {
  const [user] = await db
    .select({ newsSince: users.newsSince, emailVerifiedAt: users.emailVerifiedAt })
    .from(users)
    .where(eq(users.id, userId))
  const isConfirmed = (user?.emailVerifiedAt ?? null) !== null
  return {
    wanted: (user?.newsSince ?? null) !== null,
    needsConfirmedEmail: !isConfirmed && (await needsConfirmedEmail(db)),
  }
}

/** Turns news emails on or off. The audit log records the time and the request. */
export const setNews = (db: Db, userId: number, wanted: boolean, requestId: string): Promise<{ wanted: boolean }> =>
  inTransaction(db, async (tx) => {
    await storeNewsChoice(tx, userId, wanted, requestId, 'account')
    return { wanted }
  })

const brokenLink = 'This link is not valid. You can turn off news emails under Messages in your account.'

/** Turns news emails off for the recipient of the email with this token. Repeating the call changes nothing. Throws 404 for an unknown token. */
export async function unsubscribe(db: Db, token: string, requestId: string): Promise<{ message: string }> {
  return inTransaction(db, async (tx) => {
    const [recipient] = await tx
      .select({ announcementId: announcementRecipients.announcementId, userId: announcementRecipients.userId })
      .from(announcementRecipients)
      .where(eq(announcementRecipients.tokenHash, hashOfToken(token)))
    if (!recipient) return notFound(brokenLink)
    const { announcementId, userId } = recipient
    if (await storeNewsChoice(tx, userId, false, requestId, 'unsubscribe link')) {
      await tx
        .update(announcementRecipients)
        .set({ unsubscribedAt: sql`now()` })
        .where(
          and(eq(announcementRecipients.announcementId, announcementId), eq(announcementRecipients.userId, userId)),
        )
      await tx
        .update(announcements)
        .set({ unsubscribed: sql`${announcements.unsubscribed} + 1` })
        .where(eq(announcements.id, announcementId))
      await changed(tx, 'announcement')
    }
    return { message: 'You will no longer get news emails.' }
  })
}

/** Stores the choice if it differs from the stored one. `by` names in the audit log how it was made. Returns whether it changed. */
async function storeNewsChoice(
  tx: Tx,
  userId: number,
  wanted: boolean,
  requestId: string,
  by: string,
): Promise<boolean> {
  const { rowCount } = await tx
    .update(users)
    .set({ newsSince: wanted ? sql`now()` : null })
    .where(and(eq(users.id, userId), wanted ? isNull(users.newsSince) : isNotNull(users.newsSince)))
  if (!rowCount) return false
  await audit(tx, {
    ...{ actorId: userId, action: wanted ? 'user.news_on' : 'user.news_off', targetType: 'user', targetId: userId },
    after: { by },
    requestId,
  })
  await changed(tx, 'user', { user: userId })
  return true
}
