import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { paymentEventLinks, paymentEvents, paymentMailLinks, paymentMails } from '#server/db/tables.ts'
import type { PaymentDetail } from '../../admin-contract.ts'
import type { Evidence } from '../matching/types.ts'

/** Returns the evidence from an event, otherwise from the best verified email about a payment; undefined if neither reported it. */
export async function sourceEvidence(db: Db | Tx, paymentId: number): Promise<Evidence | undefined> {
  const [event] = await db
    .select({ signedAt: paymentEvents.signedAt })
    .from(paymentEventLinks)
    .innerJoin(paymentEvents, eq(paymentEvents.id, paymentEventLinks.eventId))
    .where(eq(paymentEventLinks.paymentId, paymentId))
    .orderBy(asc(paymentEvents.id))
    .limit(1)
  // An event is stored only after its signature was verified.
  if (event) return { auth: 'proven', recipientIsOurs: true, templateKnown: true, signedAt: event.signedAt }
  const [best] = await db
    .select({ auth: paymentMails.auth, signedAt: paymentMails.signedAt, template: paymentMails.template })
    .from(paymentMailLinks)
    .innerJoin(paymentMails, eq(paymentMails.id, paymentMailLinks.mailId))
    .where(and(eq(paymentMailLinks.paymentId, paymentId), eq(paymentMails.outcome, 'payment')))
    .orderBy(sql`${paymentMails.auth} = 'proven' desc, ${paymentMails.template} is not null desc`, asc(paymentMails.id))
    .limit(1)
  // `recipientIsOurs` is true because emails about other accounts are refused when they are read.
  return (
    best && { auth: best.auth, recipientIsOurs: true, templateKnown: best.template !== null, signedAt: best.signedAt }
  )
}

/** Returns the emails that reported a payment. */
export const emailsOf = (db: Db, paymentId: number): Promise<PaymentDetail['emails']> =>
  db
    .select({
      id: paymentMails.id,
      sender: paymentMails.sender,
      subject: paymentMails.subject,
      messageId: paymentMails.messageId,
      receivedAt: paymentMails.receivedAt,
      auth: paymentMails.auth,
      signedBy: paymentMails.signedBy,
      isKnownLayout: sql<boolean>`${paymentMails.template} is not null`,
      canOpen: sql<boolean>`${paymentMails.sealed} is not null`,
    })
    .from(paymentMailLinks)
    .innerJoin(paymentMails, eq(paymentMails.id, paymentMailLinks.mailId))
    .where(eq(paymentMailLinks.paymentId, paymentId))
    .orderBy(asc(paymentMails.id))
    .limit(20)

/** Returns the processor events that reported a payment. */
export const eventsOf = (db: Db, paymentId: number): Promise<PaymentDetail['events']> =>
  db
    .select({
      id: paymentEvents.id,
      processor: paymentEvents.processor,
      eventId: paymentEvents.eventId,
      type: paymentEvents.type,
      receivedAt: paymentEvents.receivedAt,
    })
    .from(paymentEventLinks)
    .innerJoin(paymentEvents, eq(paymentEvents.id, paymentEventLinks.eventId))
    .where(eq(paymentEventLinks.paymentId, paymentId))
    .orderBy(asc(paymentEvents.id))
    .limit(20)
