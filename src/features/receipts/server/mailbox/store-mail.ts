import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { eq, sql } from 'drizzle-orm'
import { settleSent } from '#features/payments/server/service/reversals/settle-sent.ts'
import { maskNumbers } from '#kit/untrusted-text.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { paymentMailLinks, paymentMails } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'
import { type KeyOrRing, open, seal } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import { notifyOwners } from '#server/session/administrators.ts'
import { bookPayments, maxCents } from '../book-payments.ts'
import type { ReadMail } from '../read/mail/read-mail.ts'

/** The position of an email on the mail server, and the data of its envelope. `size` is in bytes. */
export type MailEnvelope = {
  mailbox: string
  uidValidity: bigint
  uid: number
  messageId: string
  sender: string
  subject: string
  size: number
  receivedAt: Date
}
type Row = typeof paymentMails.$inferInsert
export type Stored = { id: number; payments: number[]; outcome: Row['outcome']; reason: string | null }

const { context: sealContext } = sealedColumns.paymentMail
/** Seals an email. It is compressed to about a third of its size first, because the sealed value is stored as text. */
const sealMail = (key: KeyOrRing, raw: Uint8Array, sourceKey: string): string =>
  seal(key, gzipSync(raw).toString('base64'), sealContext(sourceKey))
export const openMail = (key: KeyOrRing, sealed: string, sourceKey: string): Buffer =>
  gunzipSync(Buffer.from(open(key, sealed, sealContext(sourceKey)), 'base64'), {
    maxOutputLength: 2 * limits.mailbox.bytes,
  })

/** Returns the `sourceKey` of an email that is stored without having been read. */
export const unreadSourceKey = ({ messageId, sender, size, receivedAt }: MailEnvelope): string =>
  createHash('sha256').update(`unread ${messageId} ${sender} ${size} ${receivedAt.toISOString()}`).digest('hex')

type Content = Pick<
  ReadMail,
  'auth' | 'outcome' | 'reason' | 'payments' | 'evidence' | 'template' | 'sourceKey' | 'signedBy' | 'isRetryable'
> &
  Partial<Pick<ReadMail, 'sent'>>
/** Returns the content to store for an email that could not be read, with the reason. */
export const unreadContent = (mail: MailEnvelope, reason: string): Content => ({
  auth: 'unproven',
  outcome: 'unreadable',
  reason: reason.slice(0, 100),
  payments: [],
  evidence: { auth: 'unproven', recipientIsOurs: false, templateKnown: false, signedAt: null },
  template: null,
  sourceKey: unreadSourceKey(mail),
  signedBy: null,
  isRetryable: false,
})

export type NewMail = { mail: MailEnvelope; content: Content; raw: Uint8Array | null; key: () => KeyOrRing }
/**
 * Stores what was read from an email, its payments and their matches in one transaction. `also` runs in the same transaction and stores the position. A copy of
 * a stored email changes nothing, unless the email could not be read before.
 */
export function storeMail(
  db: Db,
  { mail, content, raw, key }: NewMail,
  also: (tx: Tx) => Promise<void>,
): Promise<Stored> {
  const row = rowOf(mail, content)
  // The content of an email that was not sent by the provider in its From header is not stored, because such emails could fill the disk.
  const isKept = raw && content.outcome !== 'not_a_payment' && (content.auth !== 'unproven' || content.isRetryable)
  const sealed = isKept && content.auth !== 'forged' ? sealMail(key(), raw, row.sourceKey) : null
  return inTransaction(db, async (tx) => {
    await also(tx)
    const [before] = await tx.select().from(paymentMails).where(eq(paymentMails.sourceKey, row.sourceKey)).for('update')
    if (before && (before.outcome === 'payment' || row.outcome !== 'payment'))
      return { id: before.id, payments: [], outcome: before.outcome, reason: before.reason }
    return store(tx, { ...row, sealed }, content, before?.id)
  })
}

/** Replaces the results of a stored email with new ones. The caller has locked it. */
export const storeAgain = (tx: Tx, id: number, mail: MailEnvelope, content: Content): Promise<Stored> =>
  store(tx, rowOf(mail, content), content, id)

async function store(tx: Tx, row: Row, { payments, evidence, sent }: Content, id: number | undefined): Promise<Stored> {
  const [saved] =
    id === undefined
      ? await tx.insert(paymentMails).values(row).returning({ id: paymentMails.id })
      : await tx
          .update(paymentMails)
          .set({ ...row, retriedAt: sql`now()` })
          .where(eq(paymentMails.id, id))
          .returning({ id: paymentMails.id })
  const mailId = saved!.id
  const booked = row.outcome === 'payment' ? await bookPayments(tx, 'mail', payments, evidence) : []
  if (id === undefined && sent && row.auth === 'proven') {
    const paymentId = await settleSent(tx, sent)
    if (paymentId) await tx.insert(paymentMailLinks).values({ mailId, paymentId })
  }
  const isPrivate = row.outcome === 'payment' && booked.length === 0
  if (isPrivate) {
    const nothing = { outcome: 'not_a_payment', reason: 'private', subject: '', messageId: '', sealed: null } as const
    await tx.update(paymentMails).set(nothing).where(eq(paymentMails.id, mailId))
    return { id: mailId, payments: [], outcome: nothing.outcome, reason: nothing.reason }
  }
  if (id === undefined && row.auth === 'forged') await warnOfForged(tx, row)
  for (const { id: paymentId, reference } of booked)
    await tx.insert(paymentMailLinks).values({ mailId, paymentId, reference }).onConflictDoNothing()
  await changed(tx, 'payment')
  return { id: mailId, payments: booked.map((each) => each.id), outcome: row.outcome, reason: row.reason ?? null }
}

/** Emails all owners about a forged email, at most once a day. */
const warnOfForged = (tx: Tx, { sender, receivedAt }: Row): Promise<void> =>
  notifyOwners(tx, {
    event: 'payment_email_forged',
    about: `${sender}, ${receivedAt.slice(0, 16).replace('T', ' ')} UTC`,
    actor: null,
    key: new Date().toISOString().slice(0, 10),
  })

function rowOf(mail: MailEnvelope, content: Content): Row {
  const isTooMuch = content.payments.some(({ amount }) => amount > maxCents || amount < 1)
  const outcome = isTooMuch ? 'unreadable' : content.outcome
  const isReversal = outcome === 'payment' && content.payments.some(({ direction }) => direction === 'reversal')
  return {
    sourceKey: content.sourceKey,
    mailbox: mail.mailbox,
    uidValidity: mail.uidValidity,
    uid: mail.uid,
    messageId: line(mail.messageId),
    sender: line(mail.sender),
    // Not stored for emails that report no payment: the subject may contain a sign-in code.
    subject: outcome === 'not_a_payment' ? '' : line(maskNumbers(mail.subject)),
    bytes: mail.size,
    receivedAt: mail.receivedAt.toISOString(),
    auth: content.auth === 'stated' ? 'unproven' : content.auth,
    signedBy: content.signedBy,
    signedAt: content.evidence.signedAt,
    outcome: outcome === 'ignored' ? 'not_a_payment' : outcome,
    reason: isTooMuch ? 'amount' : isReversal ? 'reversal' : content.reason,
    template: content.template?.name ?? null,
    templateVersion: content.template?.version ?? null,
    retryUntil:
      content.isRetryable && (outcome === 'refused' || outcome === 'payment')
        ? new Date(mail.receivedAt.getTime() + limits.mailbox.retryHours * 3_600_000).toISOString()
        : null,
  }
}

const line = (text: string): string =>
  [...text.toWellFormed().replace(/[\p{Cc}\p{Cf}]+/gu, ' ')].slice(0, 300).join('').trim()
