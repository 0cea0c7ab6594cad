import { and, eq, sql } from 'drizzle-orm'
import { mailSender } from '#features/mails/server/mail-server/load-smtp.ts'
import { audit } from '#server/audit.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { announcementRecipients, announcements } from '#server/db/tables.ts'
import { conflict, invalid } from '#server/errors.ts'
import { changed, notifyCatalog } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import type { AdminAnnouncement } from '../../admin-contract.ts'
import { type Group, isInAudience, mayBeEmailed, needsConfirmedEmail } from './audience.ts'
import { checkUntil, lockDraft } from './edit-draft.ts'
import { lockAnnouncement, readAnnouncement } from './read-announcements.ts'

type Publication = { version: number; expectedCustomers: number }

/**
 * Publishes a draft: the site shows it, and its recipients are stored; a job sends the emails at the pace of the announcement. Throws 400 with the
 * invalid field, 404, and 409: for a stale version or an announcement that is not a draft, without a mail server (`no_mail_server`), and when the
 * number of recipients is not the expected one (`customers_changed`).
 */
export async function publishAnnouncement(
  { db, config }: { db: Db; config: Pick<Config, 'smtp'> },
  id: number,
  { version, expectedCustomers }: Publication,
  { admin, requestId }: Actor,
): Promise<AdminAnnouncement> {
  const sender = await mailSender(db, config)
  return inTransaction(db, async (tx) => {
    const { onSite, siteUntil, emails, title, ...group } = await lockDraft(tx, id, version)
    if (onSite) await checkUntil(tx, siteUntil)
    if (emails && sender === null)
      conflict('no_mail_server', 'No mail server is set up, so no email can be sent. Set one up under Settings.')
    const customers = emails ? await storeRecipients(tx, id, group) : 0
    if (emails && customers !== expectedCustomers)
      conflict(
        'customers_changed',
        `There are ${customers} recipients now, not ${expectedCustomers}. Please check again.`,
      )
    if (!onSite && customers === 0) invalid('audience', 'No customer would get this email. Nothing was published.')
    await tx
      .update(announcements)
      .set({
        ...{ state: 'published', publishedBy: admin.id, publishedAt: sql`now()` },
        version: sql`${announcements.version} + 1`,
      })
      .where(and(eq(announcements.id, id), eq(announcements.state, 'draft'), eq(announcements.version, version)))
    await audit(tx, {
      ...{ actorId: admin.id, action: 'announcement.publish', targetType: 'announcement', targetId: id, requestId },
      after: { title, audience: group.audience, onSite, siteUntil, emails: customers },
    })
    await publish(tx)
    return readAnnouncement(tx, id)
  })
}

async function storeRecipients(tx: Tx, id: number, group: Group): Promise<number> {
  const mustBeConfirmed = await needsConfirmedEmail(tx)
  const { rowCount } = await tx.execute(sql`
    insert into announcement_recipients (announcement_id, user_id)
    select ${id}, u.id from users u where ${isInAudience(group)} and ${mayBeEmailed(group.kind, mustBeConfirmed)}`)
  return rowCount ?? 0
}

/** Takes an announcement off the site and stops its emails. Throws 404, and 409 for a stale version or an announcement that is not published. */
export async function withdrawAnnouncement(
  db: Db,
  id: number,
  version: number,
  { admin, requestId }: Actor,
): Promise<AdminAnnouncement> {
  return inTransaction(db, async (tx) => {
    const found = await lockAnnouncement(tx, id)
    if (found.state !== 'published')
      return conflict('not_published', 'This announcement is not published. Nothing was changed.')
    if (found.version !== version)
      return conflict('stale', 'This announcement has changed since you opened it. Nothing was changed.')
    const stopped = await tx
      .update(announcementRecipients)
      .set({ state: 'skipped' })
      .where(and(eq(announcementRecipients.announcementId, id), eq(announcementRecipients.state, 'waiting')))
    await tx
      .update(announcements)
      .set({
        ...{ state: 'withdrawn', withdrawnBy: admin.id, withdrawnAt: sql`now()` },
        skipped: sql`${announcements.skipped} + ${stopped.rowCount ?? 0}`,
        version: sql`${announcements.version} + 1`,
      })
      .where(and(eq(announcements.id, id), eq(announcements.state, 'published'), eq(announcements.version, version)))
    await audit(tx, {
      ...{ actorId: admin.id, action: 'announcement.withdraw', targetType: 'announcement', targetId: id, requestId },
      before: { title: found.title },
      after: { notEmailed: stopped.rowCount ?? 0 },
    })
    await publish(tx)
    return readAnnouncement(tx, id)
  })
}

/** At commit, clears the cached pages of all processes and refreshes the lists of administrators. */
async function publish(tx: Tx): Promise<void> {
  await notifyCatalog(tx)
  await changed(tx, 'announcement')
}

/** Ends the announcements whose time on the site is over, and clears the cached pages that show them. Returns how many have ended. */
export async function endAnnouncements(db: Db): Promise<number> {
  return inTransaction(db, async (tx) => {
    const ended = await tx
      .update(announcements)
      .set({ ended: true })
      .where(sql`state = 'published' and on_site and not ended and site_until <= now()`)
    if (ended.rowCount) await publish(tx)
    return ended.rowCount ?? 0
  })
}
