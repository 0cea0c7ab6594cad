import { eq } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { secretKey } from '#server/secrets/keys.ts'
import {
  isConfirmedBySecondAdministrator,
  mailAdministrators,
  needsSecondAdministrator,
} from '#server/session/administrators.ts'
import type { SessionUser } from '#server/session/session.ts'
import { canReveal } from '../../rules.ts'
import { openLink } from './open-link.ts'
import { mailById } from './read-mails.ts'

/**
 * The secret link of a mail that is kept because there is no mail server, so that an administrator can pass it on. The audit
 * row is written before the link is handed out, and all administrators get a mail about it. Without `selfApproval` the mail of another
 * administrator is shown only after another administrator asked for it too. Throws 404, and 409 for any other mail.
 */
export async function revealMail(
  db: Db,
  config: Config,
  id: number,
  act: { admin: SessionUser; requestId: string; selfApproval: boolean },
): Promise<{ link: string }> {
  const mail = await mailById(db, id)
  if (!canReveal({ ...mail, hasLink: mail.sealed !== null }))
    return conflict('nothing_to_reveal', 'The link of this mail is not kept, or was sent to its reader.')
  const path = openLink(secretKey(config), mail)
  const { admin, requestId } = act
  const about = `${mail.template} to ${mail.recipient}`
  const isShown = await inTransaction(db, async (tx) => {
    if (!act.selfApproval && mail.userId !== admin.id && (await isAdministrators(tx, mail)))
      if (
        !(await isConfirmedBySecondAdministrator(
          tx,
          { action: 'reveal_mail', target: id, what: about, about: `Show the link of a mail: ${about}` },
          act,
        ))
      )
        return false
    await audit(tx, {
      actorId: admin.id,
      action: 'mail.reveal',
      targetType: 'mail',
      targetId: id,
      after: { template: mail.template, recipient: mail.recipient },
      requestId,
    })
    await mailAdministrators(tx, { event: 'mail_revealed', about, actor: admin, key: requestId })
    return true
  })
  return isShown ? { link: config.publicUrl + path } : needsSecondAdministrator()
}

async function isAdministrators(tx: Tx, { userId }: { userId: number | null }): Promise<boolean> {
  if (userId === null) return false
  const [reader] = await tx.select({ role: users.role }).from(users).where(eq(users.id, userId))
  return reader?.role === 'admin'
}
