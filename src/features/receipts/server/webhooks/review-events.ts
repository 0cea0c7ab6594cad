import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { paymentEvents } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import { maxEventsToReview, type PaymentEvent } from '../../admin-processor-contract.ts'
import { eventColumns } from './processors.ts'

/** SQL condition for events that an administrator has to review. It must be identical to the condition of the index `payment_events_to_review`. */
export const isEventToReview = and(
  sql`${paymentEvents.outcome} in ('review', 'reversal')`,
  isNull(paymentEvents.reviewedAt),
)

/** The newest events that an administrator has to review. */
export const listEventsToReview = async (db: Db): Promise<PaymentEvent[]> =>
  db
    .select(eventColumns)
    .from(paymentEvents)
    .where(isEventToReview)
    .orderBy(desc(paymentEvents.id))
    .limit(maxEventsToReview)

/** Removes an event from the list of events to review. Its row is kept. A repeated call changes nothing. Throws 404. */
export const reviewEvent = (db: Db, eventId: number, { admin, requestId }: Actor): Promise<{ reviewed: true }> =>
  inTransaction(db, async (tx) => {
    const [found] = await tx.select({ id: paymentEvents.id }).from(paymentEvents).where(eq(paymentEvents.id, eventId))
    if (!found) return notFound('Event not found')
    const [reviewed] = await tx
      .update(paymentEvents)
      .set({ reviewedAt: sql`now()`, reviewedBy: admin.id })
      .where(and(eq(paymentEvents.id, eventId), isEventToReview))
      .returning({ reason: paymentEvents.reason })
    if (!reviewed) return { reviewed: true }
    await audit(tx, {
      actorId: admin.id,
      action: 'processor.review_event',
      targetType: 'payment_event',
      targetId: eventId,
      after: { reason: reviewed.reason },
      requestId,
    })
    await changed(tx, 'payment')
    return { reviewed: true }
  })
