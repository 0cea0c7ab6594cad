import { createHash, randomBytes } from 'node:crypto'
import { and, asc, eq, sql } from 'drizzle-orm'
import { mailSender } from '#features/mails/server/mail-server/load-smtp.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { announcementRecipients, announcements } from '#server/db/tables.ts'
import { changed } from '#server/live/notify.ts'
import { enqueueMail, type OutgoingMail, sealLink } from '#server/mail/enqueue-mail.ts'
import { isOutboundHeld } from '#server/outbound/outbound-gate.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { emailKey, perMinute } from '../../rules.ts'
import { mayBeEmailed, needsConfirmedEmail } from './audience.ts'

type Row = typeof announcements.$inferSelect
type Sender = { db: Db; config: Config }

/**
 * Queues the next emails of every published announcement: as many as its pace allows in a minute. Must run once a minute. Queues nothing while there is
 * no mail server or outbound traffic is held. Returns how many emails were queued.
 */
export async function sendAnnouncements({ db, config }: Sender): Promise<number> {
  const unfinished = await db
    .select()
    .from(announcements)
    .where(
      sql`${announcements.state} = 'published' and exists (
        select from announcement_recipients r where r.announcement_id = ${announcements.id} and r.state = 'waiting')`,
    )
    .orderBy(asc(announcements.id))
  if (unfinished.length === 0 || (await isOutboundHeld()) || (await mailSender(db, config)) === null) return 0
  let queued = 0
  for (const announcement of unfinished) queued += await sendNext({ db, config }, announcement)
  return queued
}

async function sendNext({ db, config }: Sender, announcement: Row): Promise<number> {
  const { id, kind, perHour } = announcement
  const next = await db
    .select({ userId: announcementRecipients.userId })
    .from(announcementRecipients)
    .where(and(eq(announcementRecipients.announcementId, id), eq(announcementRecipients.state, 'waiting')))
    .orderBy(asc(announcementRecipients.userId))
    .limit(perMinute(perHour))
  // The links are created before the transaction; see `enqueueMail`.
  const links = new Map(
    next.map(({ userId }) => [userId, kind === 'news' ? unsubscribeLink(config, id, userId) : undefined]),
  )
  return inTransaction(db, async (tx) => {
    const chosen = await claim(tx, announcement, links)
    for (const { userId, email } of chosen)
      await enqueueMail(tx, emailOf(announcement, { userId, email }, links.get(userId)?.sealed))
    if (next.length > 0) await changed(tx, 'announcement')
    return chosen.length
  })
}

type Link = { tokenHash: Buffer; sealed: string }
function unsubscribeLink(config: Config, announcementId: number, userId: number): Link {
  const token = randomBytes(32).toString('base64url')
  const sealed = sealLink(secretKey(config), emailKey(announcementId, userId), `/unsubscribe?token=${token}`)
  return { tokenHash: hashOfToken(token), sealed }
}

/** Returns the SHA-256 hash under which the token of an unsubscribe link is stored. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Marks waiting recipients as emailed or skipped, and returns those who may still be emailed; none if the announcement is withdrawn. */
async function claim(
  tx: Tx,
  { id, kind }: Row,
  links: Map<number, Link | undefined>,
): Promise<{ userId: number; email: string }[]> {
  const [live] = await tx
    .select({ id: announcements.id })
    .from(announcements)
    .where(and(eq(announcements.id, id), eq(announcements.state, 'published')))
    .for('no key update')
  if (!live) return []
  const mustBeConfirmed = await needsConfirmedEmail(tx)
  const hashes = [...links.values()].map((link) => link?.tokenHash ?? null)
  const { rows } = await tx.execute<{ userId: number; email: string; state: string }>(sql`
    update announcement_recipients r set
      state = case when ${mayBeEmailed(kind, mustBeConfirmed)} then 'emailed' else 'skipped' end,
      token_hash = case when ${mayBeEmailed(kind, mustBeConfirmed)} then next.token_hash end
    from unnest(${sql.param([...links.keys()])}::int[], ${sql.param(hashes)}::bytea[]) as next (user_id, token_hash)
      join users u on u.id = next.user_id
    where r.announcement_id = ${id} and r.user_id = next.user_id and r.state = 'waiting'
    returning r.user_id as "userId", u.email, r.state`)
  const chosen = rows.filter(({ state }) => state === 'emailed')
  await tx
    .update(announcements)
    .set({
      emailed: sql`${announcements.emailed} + ${chosen.length}`,
      skipped: sql`${announcements.skipped} + ${rows.length - chosen.length}`,
    })
    .where(eq(announcements.id, id))
  return chosen
}

type Content = Pick<Row, 'id' | 'kind' | 'title' | 'summary' | 'body' | 'linkLabel' | 'linkPath'>
type Recipient = { userId: number; email: string }

/** Returns the email of an announcement for one person. `sealed` is the encrypted unsubscribe link of a news email. */
export function emailOf(
  { id, kind, ...content }: Content,
  { userId, email }: Recipient,
  sealed: string | undefined,
  dedupeKey = emailKey(id, userId),
): OutgoingMail {
  const { title, summary, body, linkLabel, linkPath } = content
  const mail = { dedupeKey, userId, recipient: email, data: { title, summary, body, linkLabel, linkPath } }
  return kind === 'news'
    ? { ...mail, template: 'announcement', ...(sealed !== undefined && { sealed }) }
    : { ...mail, template: 'service_announcement' }
}
