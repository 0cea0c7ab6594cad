import type { MailName } from '#features/mails/server/templates.ts'
import { audit } from '#server/audit.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { notFound } from '#server/errors.ts'
import { notifyAdmins } from '#server/live/notify.ts'
import { enqueueMail, type OutgoingMail, sealLink } from '#server/mail/enqueue-mail.ts'
import { secretKey } from '#server/secrets/keys.ts'
import type { SessionUser } from '#server/session/session.ts'
import { listMails } from '../../admin-contract.ts'
import { isMailName, templates } from '../templates.ts'

/** Sends a template with its sample data to the requesting administrator; its link carries an invalid token. Throws 404. */
export async function testTemplate(
  db: Db,
  config: Config,
  name: string,
  { admin, requestId }: { admin: SessionUser; requestId: string },
): Promise<{ recipient: string }> {
  if (!isMailName(name)) return notFound('Template not found')
  const dedupeKey = `test:${requestId}`
  const { sample, linksTo } = templates[name]
  const sealed = linksTo && sealLink(secretKey(config), dedupeKey, `${linksTo}?token=sample`)
  const mail = {
    dedupeKey,
    userId: admin.id,
    recipient: admin.email,
    template: name,
    data: sample,
    sealed,
  } as OutgoingMail<MailName>
  await inTransaction(db, async (tx) => {
    await enqueueMail(tx, mail)
    await audit(tx, {
      actorId: admin.id,
      action: 'mail.test',
      targetType: 'mail_template',
      targetId: name,
      after: { recipient: admin.email },
      requestId,
    })
    await notifyAdmins(tx, [listMails.id])
  })
  return { recipient: admin.email }
}
