import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm'
import { rematchPayments } from '#features/payments/server/service/match-payment.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { paymentMailLinks, paymentMails } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import type { KeyOrRing } from '#server/secrets/keys.ts'
import type { Authenticity, DnsResolver } from '../read/mail/authenticity.ts'
import { type ReadMail, readMail } from '../read/mail/read-mail.ts'
import { senderOf } from '../read/mail/senders.ts'
import { mailContext } from './config.ts'
import { openMail, type Stored, storeAgain } from './store-mail.ts'

type Context = { db: Db; resolver: DnsResolver; key: () => KeyOrRing }
type Row = typeof paymentMails.$inferSelect & { sealed: string }

/** Reads a stored email again. An email that reported a payment keeps it, and a proven email stays proven. `also` runs in the same transaction. */
export async function readAgain(
  { db, resolver, key }: Context,
  mail: Row,
  also: Parameters<typeof inTransaction<void>>[1] = async () => {},
): Promise<Stored> {
  const raw = openMail(key(), mail.sealed, mail.sourceKey)
  const context = await mailContext({ db, resolver })
  const content = await readMail(raw, mail.auth === 'proven' ? { ...context, verified: verifiedBefore(mail) } : context)
  return inTransaction(db, async (tx) => {
    await also(tx)
    const [now] = await tx.select().from(paymentMails).where(eq(paymentMails.id, mail.id)).for('update')
    if (now?.outcome === 'payment' && now.auth === 'vouched' && content.auth === 'proven')
      await markProven(tx, now, content)
    else if (now?.outcome === 'payment') await touch(tx, now.id)
    if (!now || now.outcome === 'payment' || content.outcome === 'ignored')
      return { id: mail.id, payments: [], outcome: mail.outcome, reason: mail.reason }
    const { mailbox, uidValidity, uid, messageId, sender, subject, bytes: size } = now
    const place = { mailbox, uidValidity, uid, messageId, sender, subject, size, receivedAt: new Date(now.receivedAt) }
    return storeAgain(tx, mail.id, place, { ...content, sourceKey: now.sourceKey })
  })
}

const touch = (tx: Tx, id: number) =>
  tx.update(paymentMails).set({ retriedAt: sql`now()` }).where(eq(paymentMails.id, id))

/** Marks an email as proven that until now only the mail server vouched for, and compares its payments with the invoices again. */
async function markProven(tx: Tx, { id }: typeof paymentMails.$inferSelect, { evidence }: ReadMail): Promise<void> {
  const proven = { auth: 'proven', signedAt: evidence.signedAt, retryUntil: null, retriedAt: sql`now()` } as const
  await tx.update(paymentMails).set(proven).where(eq(paymentMails.id, id))
  const links = await tx.select().from(paymentMailLinks).where(eq(paymentMailLinks.mailId, id))
  await rematchPayments(
    tx,
    links.map(({ paymentId }) => paymentId),
  )
}

const verifiedBefore = ({ auth, sender, signedAt, sourceKey }: Row): Authenticity => ({
  auth,
  refused: null,
  sender: senderOf(sender) ?? null,
  signedAt: signedAt === null ? null : new Date(signedAt),
  sourceKey,
  isRetryable: false,
})

const batchSize = 20
/**
 * Verifies signatures again whose key could not be looked up before. They belong to refused emails and to emails that only the mail server vouched for. Returns
 * how many payments were found.
 */
export async function retryRefused(context: Context): Promise<number> {
  const { db } = context
  await db.update(paymentMails).set({ retryUntil: null }).where(lte(paymentMails.retryUntil, sql`now()`))
  const due = await db
    .select()
    .from(paymentMails)
    .where(
      and(
        isNotNull(paymentMails.retryUntil),
        isNotNull(paymentMails.sealed),
        sql`${paymentMails.retriedAt} < now() - make_interval(mins => ${limits.mailbox.retryMinutes})`,
      ),
    )
    .orderBy(asc(paymentMails.retriedAt))
    .limit(batchSize)
  let found = 0
  for (const mail of due) found += (await readAgain(context, mail as Row)).payments.length
  return found
}
