import { and, desc, eq, sql } from 'drizzle-orm'
import type { Output } from '#kit/endpoint.ts'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { paymentMails, payments } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { type KeyOrRing, secretKey } from '#server/secrets/keys.ts'
import type { Actor } from '#server/session/actor.ts'
import { maxEmailsToReview, type PaymentEmail, type readPaymentEmailAgain } from '../../admin-mailbox-contract.ts'
import { systemResolver } from './config.ts'
import { readAgain } from './read-again.ts'
import { isToReview } from './status.ts'

/** The newest emails that an administrator has to review. */
export const listToReview = async (db: Db): Promise<PaymentEmail[]> =>
  db
    .select({
      id: paymentMails.id,
      sender: paymentMails.sender,
      subject: paymentMails.subject,
      messageId: paymentMails.messageId,
      receivedAt: paymentMails.receivedAt,
      auth: paymentMails.auth,
      signedBy: paymentMails.signedBy,
      outcome: paymentMails.outcome,
      reason: paymentMails.reason,
      canReadAgain: sql<boolean>`${paymentMails.sealed} is not null and ${paymentMails.outcome} <> 'payment'`,
    })
    .from(paymentMails)
    .where(isToReview)
    .orderBy(desc(paymentMails.id))
    .limit(maxEmailsToReview)

/** Removes an email from the list of emails to review. Its row is kept. A repeated call changes nothing. Throws 404. */
export const reviewMail = (db: Db, mailId: number, { admin, requestId }: Actor): Promise<{ reviewed: true }> =>
  inTransaction(db, async (tx) => {
    const [found] = await tx.select({ id: paymentMails.id }).from(paymentMails).where(eq(paymentMails.id, mailId))
    if (!found) return notFound('Email not found')
    const [reviewed] = await tx
      .update(paymentMails)
      .set({ reviewedAt: sql`now()`, reviewedBy: admin.id })
      .where(and(eq(paymentMails.id, mailId), isToReview))
      .returning({ subject: paymentMails.subject, reason: paymentMails.reason })
    if (!reviewed) return { reviewed: true }
    await audit(tx, {
      actorId: admin.id,
      action: 'mailbox.review_email',
      targetType: 'payment_mail',
      targetId: mailId,
      after: { reason: reviewed.reason },
      requestId,
    })
    await changed(tx, 'payment')
    return { reviewed: true }
  })

/** Reads an email again and stores the result. Throws 404, and 409 if its content is not stored. */
export async function readMailAgain(
  { db, key = () => secretKey(config), config, resolver = systemResolver }: ReadAgainContext,
  mailId: number,
  { admin, requestId }: Actor,
): Promise<Output<typeof readPaymentEmailAgain>> {
  const [mail] = await db.select().from(paymentMails).where(eq(paymentMails.id, mailId))
  if (!mail) return notFound('Email not found')
  const { sealed } = mail
  if (sealed === null)
    return conflict('not_stored', 'The content of this email is not stored. Open it in your mailbox.')
  const stored = await readAgain({ db, resolver, key }, { ...mail, sealed }, (tx) =>
    audit(tx, {
      actorId: admin.id,
      action: 'mailbox.read_email',
      targetType: 'payment_mail',
      targetId: mailId,
      before: { outcome: mail.outcome, reason: mail.reason },
      requestId,
    }),
  )
  const rows = stored.payments.length === 0 ? [] : await amountsOf(db, stored.payments)
  return { payments: rows, reason: stored.outcome === 'payment' ? null : stored.reason }
}

type ReadAgainContext = {
  db: Db
  config: Parameters<typeof secretKey>[0]
  key?: () => KeyOrRing
  resolver?: typeof systemResolver
}

const amountsOf = (db: Db, ids: number[]) =>
  db
    .select({ id: payments.id, amount: payments.amount, currency: payments.currency })
    .from(payments)
    .where(sql`${payments.id} = any(${sql.param(`{${ids.join(',')}}`)}::bigint[])`)
