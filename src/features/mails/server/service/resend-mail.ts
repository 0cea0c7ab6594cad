import { and, eq, ne, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { mails } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { changed, notifyMail } from '#server/live/notify.ts'
import type { SessionUser } from '#server/session/session.ts'
import type { MailStatus } from '../../admin-contract.ts'
import { canResend } from '../../rules.ts'
import { mailById, needsLink } from './read-mails.ts'

/** Queues an email again with a fresh set of attempts and a new Message-ID. Throws 404, and 409 if the email is already queued or its link was deleted. */
export async function resendMail(
  db: Db,
  id: number,
  { admin, requestId }: { admin: SessionUser; requestId: string },
): Promise<{ status: MailStatus }> {
  return inTransaction(db, async (tx) => {
    const before = await mailById(tx, id)
    const links = { needsLink: needsLink(before.template), hasLink: before.sealed !== null }
    if (before.status !== 'queued' && !canResend({ ...before, ...links }))
      return conflict(
        'link_gone',
        'This email contained a one-time link that is no longer stored. Ask the customer to request a new one.',
      )
    const [queued] = await tx
      .update(mails)
      .set({
        status: 'queued',
        attempts: 0,
        dueAt: sql`now()`,
        lastError: null,
        sentAt: null,
        resends: sql`${mails.resends} + 1`,
      })
      .where(and(eq(mails.id, id), ne(mails.status, 'queued')))
      .returning({ status: mails.status })
    if (!queued) return conflict('already_queued', 'This email is already waiting to be sent.')
    await audit(tx, {
      actorId: admin.id,
      action: 'mail.resend',
      targetType: 'mail',
      targetId: id,
      before: { status: before.status, sentAt: before.sentAt },
      after: { status: 'queued', template: before.template, recipient: before.recipient },
      requestId,
    })
    await notifyMail(tx)
    await changed(tx, 'mail')
    return queued
  })
}
