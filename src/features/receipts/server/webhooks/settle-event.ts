import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { confirmWaiting } from '#features/payments/server/service/automation/confirm-by-rule.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { type EventFacts, paymentEventLinks, paymentEvents } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'
import { bookPayments, reversedBy } from '../book-payments.ts'
import { fetchInvoice } from './btcpay-invoice.ts'
import { readBtcpayStore } from './processors.ts'

export type EventRow = typeof paymentEvents.$inferSelect

const isOlder = ({ receivedAt }: EventRow, minutes: number): boolean =>
  Date.now() - Date.parse(receivedAt) > minutes * 60_000

/**
 * Records the payment of a waiting event with its match, or finds the payment in the book. A reversal waits for the payment that it takes back, because events
 * can arrive in any order. Returns the updated event.
 */
export async function settleEvent(tx: Tx, event: EventRow): Promise<EventRow> {
  const { facts } = event
  if (!facts) return event
  const isReversal = facts.direction === 'reversal'
  const isKnown = isReversal && (await reversedBy(tx, facts)) !== null
  if (isReversal && !isKnown && !isOlder(event, limits.event.paymentMinutes))
    return update(tx, event, { outcome: 'waiting', reason: 'payment_unknown', facts })
  const evidence = { auth: 'proven', recipientIsOurs: true, templateKnown: true, signedAt: event.signedAt } as const
  const complete = { ...facts, fee: null, final: true, paidOn: null }
  const booked = await bookPayments(tx, 'event', [complete], evidence)
  for (const { id: paymentId } of booked)
    await tx.insert(paymentEventLinks).values({ eventId: event.id, paymentId }).onConflictDoNothing()
  return update(tx, event, {
    outcome: isReversal ? 'reversal' : 'payment',
    reason: isReversal && !isKnown ? 'payment_unknown' : null,
    facts,
  })
}

type Outcome = { outcome: EventRow['outcome']; reason: string | null; facts: EventFacts | null }
async function update(tx: Tx, event: EventRow, values: Outcome): Promise<EventRow> {
  const [updated] = await tx
    .update(paymentEvents)
    .set({ ...values, retriedAt: sql`now()` })
    .where(eq(paymentEvents.id, event.id))
    .returning()
  await changed(tx, 'payment')
  return updated!
}

type Context = { db: Db; config: Config }
/** Reads the data that a waiting event lacks, outside of a transaction, and settles the event. Returns the outcome. */
export async function completeEvent({ db, config }: Context, id: number): Promise<EventRow['outcome']> {
  const [event] = await db.select().from(paymentEvents).where(eq(paymentEvents.id, id))
  if (event?.outcome !== 'waiting') return event?.outcome ?? 'ignored'
  const asked = event.facts
    ? undefined
    : await fetchInvoice(await readBtcpayStore(db, config), event.subject, new Date(event.signedAt))
  return inTransaction(db, async (tx) => {
    const [locked] = await tx
      .select()
      .from(paymentEvents)
      .where(and(eq(paymentEvents.id, id), eq(paymentEvents.outcome, 'waiting')))
      .for('update')
    if (!locked) return 'ignored'
    if (asked?.facts) return (await settleEvent(tx, { ...locked, facts: asked.facts })).outcome
    if (locked.facts) return (await settleEvent(tx, locked)).outcome
    const isGivenUp = !asked?.isRetryable || isOlder(locked, limits.event.amountHours * 60)
    const outcome = isGivenUp ? 'review' : 'waiting'
    return (await update(tx, locked, { outcome, reason: asked?.reason ?? null, facts: null })).outcome
  })
}

/** Retries the events that wait for an amount or for a payment. Returns how many of them no longer wait. */
export async function retryEvents(context: Context): Promise<number> {
  const { db } = context
  const waiting = await db
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(eq(paymentEvents.outcome, 'waiting'))
    .orderBy(asc(paymentEvents.retriedAt))
    .limit(limits.event.retryBatch)
  let settled = 0
  for (const { id } of waiting) if ((await completeEvent(context, id)) !== 'waiting') settled++
  if (settled > 0) await confirmWaiting(db)
  return settled
}

/** Removes test events and ignored events after `keptDays`. Returns how many. */
export async function forgetEvents(db: Db): Promise<number> {
  const { rowCount } = await db
    .delete(paymentEvents)
    .where(
      and(
        inArray(paymentEvents.outcome, ['test', 'ignored']),
        sql`${paymentEvents.receivedAt} < now() - make_interval(days => ${limits.event.keptDays})`,
      ),
    )
  return rowCount ?? 0
}
