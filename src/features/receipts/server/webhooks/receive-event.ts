import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { confirmWaiting } from '#features/payments/server/service/automation/confirm-by-rule.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { paymentEvents, paymentProcessorSecrets, paymentProcessors } from '#server/db/tables.ts'
import { notFound, Refusal } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { changed } from '#server/live/notify.ts'
import type { Processor } from '../../processor-rules.ts'
import { reversedBy } from '../book-payments.ts'
import { readBtcpayEvent } from './btcpay-event.ts'
import { readProcessor, readSigningSecrets } from './processors.ts'
import type { EventReading } from './read-event.ts'
import { completeEvent, settleEvent } from './settle-event.ts'
import { type Signed, verifyBtcpay, verifyStripe } from './signature.ts'
import { readStripeEvent } from './stripe-event.ts'

type Request = { bytes: Uint8Array; signature: string; requestId: string }
const received = { received: true } as const
const messages = {
  not_signed: 'The event has no signature',
  bad_signature: 'The signature of the event is not valid',
  old_signature: 'The signature of the event is too old',
  malformed_event: 'This is not an event',
}

/**
 * Receives an event of a processor: verifies its signature over the raw body, stores it once, and records the payment that it reports. A repeated
 * event gets the same response and changes nothing. Throws 404 while the processor is off, 401 without a valid and recent signature, and 400 for a
 * body that is not an event.
 */
export async function receiveEvent(
  { db, config, log }: Pick<AppContext, 'db' | 'config' | 'log'>,
  processor: Processor,
  { bytes, signature, requestId }: Request,
): Promise<typeof received> {
  const { enabled, storeId } = await readProcessor(db, processor)
  const secrets = enabled ? await readSigningSecrets(db, config, processor) : []
  if (secrets.length === 0) return notFound()
  const signed =
    processor === 'stripe'
      ? verifyStripe(bytes, signature, secrets, new Date())
      : verifyBtcpay(bytes, signature, secrets)
  if (typeof signed === 'string') return refuse(db, processor, 401, signed)
  const reading = processor === 'stripe' ? readStripeEvent(bytes) : readBtcpayEvent(bytes, storeId)
  if (!reading) return refuse(db, processor, 400, 'malformed_event')
  const stored = await storeEvent(db, processor, reading, signed)
  log.info({ requestId, processor, type: reading.type, outcome: stored?.outcome ?? 'known' }, 'payment event received')
  if (!stored) return received
  const outcome = stored.outcome === 'waiting' ? await completeEvent({ db, config }, stored.id) : stored.outcome
  if (outcome === 'payment')
    // If this fails, a job confirms the stored payment within a minute.
    await confirmWaiting(db).catch((error: Error) => log.warn({ error: error.message }, 'confirming payments failed'))
  return received
}

/** Stores an event and what it reports in one transaction. Returns undefined if the event is already stored. */
const storeEvent = (db: Db, processor: Processor, reading: EventReading, { secret, signedAt }: Signed) =>
  inTransaction(db, async (tx) => {
    const { eventId, type, subject, at, facts } = reading
    const { outcome, reason } = await outcomeOf(tx, reading)
    const isMoney = outcome === 'payment' || outcome === 'reversal'
    const [event] = await tx
      .insert(paymentEvents)
      .values({
        ...{ processor, eventId, type, subject, facts, signedAt: (signedAt ?? at).toISOString() },
        ...(isMoney ? { outcome: 'waiting' } : { outcome, reason }),
      })
      .onConflictDoNothing()
      .returning()
    if (!event) return undefined
    await tx
      .update(paymentProcessorSecrets)
      .set({ lastUsedAt: sql`now()` })
      .where(
        and(
          eq(paymentProcessorSecrets.id, secret.id),
          or(isNull(paymentProcessorSecrets.lastUsedAt), lt(paymentProcessorSecrets.lastUsedAt, aMinuteAgo)),
        ),
      )
    await changed(tx, 'payment')
    return isMoney ? settleEvent(tx, event) : event
  })

/** Returns the outcome to store. An event about an invalidated invoice is ignored unless the payment of the invoice is recorded. */
async function outcomeOf(tx: Tx, { outcome, reason, subject }: EventReading): Promise<StoredOutcome> {
  if (reason !== 'invalid') return { outcome, reason }
  const known = await reversedBy(tx, { direction: 'reversal', rail: 'crypto', reversesReference: subject })
  return known === null ? { outcome: 'ignored', reason: 'unpaid_invoice' } : { outcome, reason }
}
type StoredOutcome = Pick<EventReading, 'outcome' | 'reason'>

const aMinuteAgo = sql`now() - interval '1 minute'`
/** Records a refused request, which the settings page shows, and throws. It is recorded at most once a minute, because anyone can send such requests. */
async function refuse(db: Db, name: Processor, status: 400 | 401, code: keyof typeof messages): Promise<never> {
  await db
    .update(paymentProcessors)
    .set({ refusedAt: sql`now()`, refusal: code })
    .where(
      and(
        eq(paymentProcessors.name, name),
        or(isNull(paymentProcessors.refusedAt), lt(paymentProcessors.refusedAt, aMinuteAgo)),
      ),
    )
  throw new Refusal(status, code, messages[code])
}
