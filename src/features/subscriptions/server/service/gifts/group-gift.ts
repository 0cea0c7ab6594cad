import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { timeGiftCustomers, timeGifts } from '#server/db/tables.ts'
import { conflict, notFound, Refusal } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Approver } from '#server/session/actor.ts'
import type { TimeGift } from '../../../admin-gift-contract.ts'
import { giveToCustomer } from './give-to-customer.ts'
import { readGift } from './read-gift.ts'
import { takeBack } from './take-back.ts'

type NewGift = { days: number; reason: string; emails: boolean; incidentId: number; userIds: readonly number[] }
type Row = typeof timeGifts.$inferSelect

const ownAccount = 'Another administrator has to change your own subscription'
/** How long one request works on a gift, in milliseconds. */
const requestMs = 1_500
const batch = 100

/** Stores a gift for customers. `continueGift` then gives the days to one customer after the other. Returns the id of the gift. */
export async function startGift(
  tx: Tx,
  { days, reason, emails, incidentId, userIds }: NewGift,
  { admin, requestId, selfApproval }: Approver,
): Promise<number> {
  const [gift] = await tx
    .insert(timeGifts)
    .values({ days, reason, emails, incidentId, createdBy: admin.id })
    .returning({ id: timeGifts.id })
  const giftId = gift!.id
  await tx.execute(sql`
    insert into time_gift_customers (gift_id, user_id, incident_id, state, reason)
    select ${giftId}, id, ${incidentId}, case when own then 'skipped' else 'waiting' end, case when own then ${ownAccount} end
    from (select id, id = ${admin.id} and not ${selfApproval}::boolean as own from unnest(${sql.param([...userIds])}::int[]) id) chosen`)
  await audit(tx, {
    actorId: admin.id,
    action: 'time_gift.give',
    targetType: 'time_gift',
    targetId: giftId,
    after: { days, reason, incidentId, customers: userIds.length, emails },
    requestId,
  })
  await changed(tx, 'time_gift')
  return giftId
}

/**
 * Continues to give or take back the days of a gift until `untilMs`, by default for 1.5 seconds. Does nothing if the gift is finished. Returns its
 * progress. Throws 404.
 */
export async function continueGift(
  db: Db,
  giftId: number,
  requestId: string | null,
  untilMs = Date.now() + requestMs,
): Promise<TimeGift> {
  const [gift] = await db.select().from(timeGifts).where(eq(timeGifts.id, giftId))
  if (!gift) return notFound('Gift not found')
  if (gift.state === 'giving' || gift.state === 'undoing') await processCustomers(db, gift, requestId, untilMs)
  return readGift(db, giftId)
}

async function processCustomers(db: Db, gift: Row, requestId: string | null, untilMs: number): Promise<void> {
  const from = gift.state === 'giving' ? 'waiting' : 'added'
  for (;;) {
    const next = await db
      .select({ userId: timeGiftCustomers.userId })
      .from(timeGiftCustomers)
      .where(and(eq(timeGiftCustomers.giftId, gift.id), eq(timeGiftCustomers.state, from)))
      .orderBy(asc(timeGiftCustomers.userId))
      .limit(batch)
    if (next.length === 0) return finish(db, gift, from)
    for (const { userId } of next) {
      // Each customer is handled in a separate transaction, so that no row is locked for long and an interruption repeats nothing.
      if (gift.state === 'giving') await inTransaction(db, (tx) => giveToCustomer(tx, gift, userId, requestId))
      else await takeBackFrom(db, gift, userId, requestId)
      if (Date.now() > untilMs) return
    }
  }
}

async function takeBackFrom(db: Db, gift: Row, userId: number, requestId: string | null): Promise<void> {
  const actorId = gift.undoneBy!
  try {
    await inTransaction(db, (tx) => takeBack(tx, gift, userId, { actorId, requestId }))
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 409) throw error
    await db
      .update(timeGiftCustomers)
      .set({ state: 'kept', reason: error.message })
      .where(
        and(
          eq(timeGiftCustomers.giftId, gift.id),
          eq(timeGiftCustomers.userId, userId),
          eq(timeGiftCustomers.state, 'added'),
        ),
      )
  }
}

async function finish(db: Db, { id, state }: Row, from: 'waiting' | 'added'): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx
      .update(timeGifts)
      .set({ state: state === 'giving' ? 'given' : 'undone' })
      .where(
        and(
          eq(timeGifts.id, id),
          eq(timeGifts.state, state),
          sql`not exists (select from time_gift_customers c where c.gift_id = ${id} and c.state = ${from})`,
        ),
      )
    await changed(tx, 'time_gift')
  })
}

/**
 * Starts to take the days of a gift back. Customers who have not received their days yet get none. Throws 404, and 409 if the days are being taken
 * back or have been.
 */
export async function undoGift(db: Db, giftId: number, { admin, requestId }: Approver): Promise<TimeGift> {
  return inTransaction(db, async (tx) => {
    const [gift] = await tx
      .update(timeGifts)
      .set({ state: 'undoing', undoneBy: admin.id, undoneAt: sql`now()` })
      .where(and(eq(timeGifts.id, giftId), inArray(timeGifts.state, ['giving', 'given'])))
      .returning()
    if (!gift) {
      await readGift(tx, giftId)
      return conflict('already_undone', 'These days have already been taken back. Nothing was changed.')
    }
    await tx
      .update(timeGiftCustomers)
      .set({ state: 'skipped', reason: 'The gift was undone before the days were added' })
      .where(and(eq(timeGiftCustomers.giftId, giftId), eq(timeGiftCustomers.state, 'waiting')))
    await audit(tx, {
      actorId: admin.id,
      action: 'time_gift.undo',
      targetType: 'time_gift',
      targetId: giftId,
      before: { days: gift.days, reason: gift.reason },
      requestId,
    })
    await changed(tx, 'time_gift')
    return readGift(tx, giftId)
  })
}

/** How long the job works on one gift, in milliseconds. */
const jobMs = 50_000
/** Continues all unfinished gifts, so that they are finished even if no administrator keeps the page open. Returns the number of these gifts. */
export async function continueGifts(db: Db): Promise<number> {
  const unfinished = await db
    .select({ id: timeGifts.id })
    .from(timeGifts)
    .where(inArray(timeGifts.state, ['giving', 'undoing']))
    .orderBy(asc(timeGifts.id))
  for (const { id } of unfinished) await continueGift(db, id, null, Date.now() + jobMs)
  return unfinished.length
}
