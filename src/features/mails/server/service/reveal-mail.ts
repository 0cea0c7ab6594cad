import { eq } from 'drizzle-orm'
import { refuseStaffAccount } from '#features/accounts/server/service/lock-user-and-admin.ts'
import { audit } from '#server/audit.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { secretKey } from '#server/secrets/keys.ts'
import type { Approver } from '#server/session/actor.ts'
import {
  isConfirmedBySecondAdministrator,
  needsSecondAdministrator,
  notifyOwners,
} from '#server/session/administrators.ts'
import { canReveal } from '../../rules.ts'
import { openLink } from './open-link.ts'
import { mailById } from './read-mails.ts'

/**
 * Returns the secret link of an email that was not sent because there is no mail server, so that an administrator can pass it on.
 * The audit row is written before the link is returned, and all owners are notified by email. Without `selfApproval` the link
 * of another administrator's mail is returned only after a second administrator has requested it too. Throws 404, 403
 * for the email of a staff member unless the actor is an owner, and 409 for any other email.
 */
export async function revealMail(db: Db, config: Config, id: number, actor: Approver): Promise<{ link: string }> {
  const mail = await mailById(db, id)
  if (!canReveal({ ...mail, hasLink: mail.sealed !== null }))
    return conflict(
      'nothing_to_reveal',
      'The link of this email is not stored, or the email was sent to its recipient.',
    )
  const path = openLink(secretKey(config), mail)
  const { admin, requestId } = actor
  const about = `${mail.template} to ${mail.recipient}`
  const isShown = await inTransaction(db, async (tx) => {
    const isStaffAccount = mail.userId !== admin.id && (await belongsToAdministrator(tx, mail))
    if (isStaffAccount) refuseStaffAccount({ role: 'admin' }, actor)
    if (isStaffAccount && !actor.selfApproval)
      if (
        !(await isConfirmedBySecondAdministrator(
          tx,
          { action: 'reveal_mail', target: id, what: about, about: `Reveal the link of an email: ${about}` },
          actor,
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
    await notifyOwners(tx, { event: 'mail_revealed', about, actor: admin, key: requestId })
    return true
  })
  return isShown ? { link: config.publicUrl + path } : needsSecondAdministrator()
}

async function belongsToAdministrator(tx: Tx, { userId }: { userId: number | null }): Promise<boolean> {
  if (userId === null) return false
  const [recipient] = await tx.select({ role: users.role }).from(users).where(eq(users.id, userId))
  return recipient?.role === 'admin'
}
