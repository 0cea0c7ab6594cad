import { audit } from '#server/audit.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { conflict } from '#server/errors.ts'
import { secretKey } from '#server/secret.ts'
import type { SessionUser } from '#server/session.ts'
import { canReveal } from '../../rules.ts'
import { openLink } from './open-link.ts'
import { mailById } from './read-mails.ts'

/**
 * The secret link of a mail that is kept because there is no mail server, so that an administrator can pass it on. The audit
 * row is written before the link is handed out. Throws 404, and 409 for any other mail.
 */
export async function revealMail(
  db: Db,
  config: Config,
  id: number,
  { admin, requestId }: { admin: SessionUser; requestId: string },
): Promise<{ link: string }> {
  const mail = await mailById(db, id)
  if (!canReveal({ ...mail, hasLink: mail.sealed !== null }))
    return conflict('nothing_to_reveal', 'The link of this mail is not kept, or was sent to its reader.')
  const path = openLink(secretKey(config), mail)
  await audit(db, {
    actorId: admin.id,
    action: 'mail.reveal',
    targetType: 'mail',
    targetId: id,
    after: { template: mail.template, recipient: mail.recipient },
    requestId,
  })
  return { link: config.publicUrl + path }
}
