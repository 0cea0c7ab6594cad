import { mailSender } from '#features/mails/server/mail-server/load-smtp.ts'
import { compose } from '#features/mails/server/service/compose.ts'
import { mailBodyText } from '#kit/mail-body.ts'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import type { AppContext } from '#server/http/route.ts'
import { enqueueMail, sealLink } from '#server/mail/enqueue-mail.ts'
import { secretKey } from '#server/secrets/keys.ts'
import type { Actor } from '#server/session/actor.ts'
import type { AdminAnnouncement, AnnouncementPreview } from '../../admin-contract.ts'
import { countRecipients } from './audience.ts'
import { readAnnouncement } from './read-announcements.ts'
import { emailOf } from './send-announcements.ts'

type Context = Pick<AppContext, 'db' | 'config'>

/** Returns how many customers would get the email of an announcement now, with its sender, subject and text. Throws 404. */
export async function previewAnnouncement({ db, config }: Context, id: number): Promise<AnnouncementPreview> {
  const announcement = await readAnnouncement(db, id)
  const [{ mailBody }, recipients, from] = await Promise.all([
    composeFor({ db, config }, announcement),
    countRecipients(db, announcement),
    mailSender(db, config),
  ])
  return { ...recipients, from, subject: mailBody.subject, text: mailBodyText(mailBody) }
}

/** Returns the email of an announcement as an HTML document. Throws 404. */
export async function renderAnnouncement(
  { db, config, renderMail }: Context & Pick<AppContext, 'renderMail'>,
  id: number,
): Promise<string> {
  const { mailBody } = await composeFor({ db, config }, await readAnnouncement(db, id))
  return renderMail(mailBody)
}

async function composeFor({ db, config }: Context, announcement: AdminAnnouncement) {
  const { template, data } = emailOf(announcement, { userId: 0, email: '' }, undefined)
  return compose(db, config, { template, data, userId: null })
}

/** Sends the email of an announcement to an administrator. Its unsubscribe link is invalid. Throws 404. */
export async function testAnnouncement(
  { db, config }: { db: Db } & Pick<AppContext, 'config'>,
  id: number,
  { admin, requestId }: Actor,
): Promise<{ recipient: string }> {
  const dedupeKey = `test:${requestId}`
  const sealed = sealLink(secretKey(config), dedupeKey, '/unsubscribe?token=sample')
  const announcement = await readAnnouncement(db, id)
  await inTransaction(db, async (tx) => {
    const isNews = announcement.kind === 'news'
    await enqueueMail(
      tx,
      emailOf(announcement, { userId: admin.id, email: admin.email }, isNews ? sealed : undefined, dedupeKey),
    )
    await audit(tx, {
      ...{ actorId: admin.id, action: 'announcement.test', targetType: 'announcement', targetId: id, requestId },
      after: { recipient: admin.email },
    })
  })
  return { recipient: admin.email }
}
