import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm'
import { aim } from '#features/lines/server/service/aim.ts'
import type { Instant } from '#kit/dates.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { type Given, statement } from '#server/db/statement.ts'
import { activations, users } from '#server/db/tables.ts'
import { type Activation, afterActivation, type SubscriptionState } from '../rules.ts'

export type Applied = { activationId: number; before: SubscriptionState; after: SubscriptionState }
type Purchase = {
  userId: number
  invoiceId: number
  kind: 'purchase' | 'plan_change'
  planId: number
  months: number
  connections: number
  keepsPeriod: boolean
  paidAt: Instant
  actorId: number
  /** What the customer's row says under its lock. */
  before: SubscriptionState
}

/** Starts, extends or changes the subscription an invoice bought. The caller holds the user's row lock. Specification 4, decisions "Marking an invoice paid". */
export async function activate(tx: Tx, purchase: Purchase): Promise<Applied> {
  const { userId, invoiceId, kind, planId, months, connections, keepsPeriod, paidAt, actorId, before } = purchase
  const activation: Activation = { kind, planId, months, connections, keepsPeriod, effectiveAt: paidAt }
  const after = afterActivation(before, activation)
  const [row] = await putInForce(tx, { ...purchase, ...after, planId, after, createdBy: actorId })
  await aim(tx, userId, { cause: kind, key: `activation:${row!.id}`, invoiceId })
  return { activationId: row!.id, before, after }
}

/**
 * Takes back exactly what an invoice's payment did: later activations are replayed on what was there before it. Returns
 * undefined when nothing of that invoice is in force. The caller holds the user's row lock.
 */
export async function reverse(tx: Tx, { invoiceId, actorId }: { invoiceId: number; actorId: number }): Promise<Applied | undefined> {
  const [reversed] = await tx
    .update(activations)
    .set({ reversedAt: sql`now()`, reversedBy: actorId })
    .where(and(eq(activations.invoiceId, invoiceId), isNull(activations.reversedAt)))
    .returning()
  if (!reversed) return undefined
  const before = await stateOf(tx, reversed.userId)
  const later = await tx
    .select()
    .from(activations)
    .where(and(eq(activations.userId, reversed.userId), gt(activations.id, reversed.id), isNull(activations.reversedAt)))
    .orderBy(asc(activations.id))
  let state = reversed.before
  for (const row of later) {
    const after = afterActivation(state, { ...row, granted: row.kind === 'grant' ? row.after : undefined })
    await tx.update(activations).set({ before: state, after }).where(eq(activations.id, row.id))
    state = after
  }
  await write(tx, reversed.userId, state)
  await aim(tx, reversed.userId, { cause: 'undo', key: `undo:${reversed.id}`, invoiceId })
  return { activationId: reversed.id, before, after: state }
}

/** The subscription of a user as it stands on the row. */
export async function stateOf(tx: Tx, userId: number): Promise<SubscriptionState> {
  const [row] = await tx.select(stateColumns).from(users).where(eq(users.id, userId))
  return row!
}

/** Where a user's row holds the subscription. */
export const stateColumns = {
  planId: users.planId,
  status: users.subscriptionStatus,
  startDate: users.subscriptionStartDate,
  endDate: users.subscriptionEndDate,
  maxConnections: users.iptvMaxConnections,
}

type Granting = { userId: number; planId: number | null; months: number; before: SubscriptionState; after: SubscriptionState; actorId: number }

/** Puts what an administrator set in force, as an activation of its own: payments undone or made later find it. The caller holds the user's row lock. */
export async function grant(tx: Tx, { userId, planId, months, before, after, actorId }: Granting): Promise<{ activationId: number }> {
  const [row] = await tx
    .insert(activations)
    .values({ kind: 'grant', userId, planId, months, connections: after.maxConnections, effectiveAt: sql`now()`, before, after, createdBy: actorId })
    .returning({ id: activations.id })
  await write(tx, userId, after)
  await aim(tx, userId, { cause: 'grant', key: `activation:${row!.id}` })
  return { activationId: row!.id }
}

const write = (tx: Tx, userId: number, state: SubscriptionState) => tx.update(users).set(columnsFor(state)).where(eq(users.id, userId))

/** The columns that say a state, given or still to come. One restored from the past may have run out meanwhile; the database's clock decides. */
const columnsFor = (state: Record<keyof SubscriptionState, unknown>) => ({
  planId: sql`${state.planId}::int`,
  subscriptionStatus: sql`case when ${state.status}::text = 'active' and ${state.endDate}::timestamptz <= now() then 'expired' else ${state.status}::text end`,
  subscriptionStartDate: sql`${state.startDate}::timestamptz`,
  subscriptionEndDate: sql`${state.endDate}::timestamptz`,
  iptvMaxConnections: sql`${state.maxConnections}::int`,
})

type Bought = Omit<Purchase, 'actorId'> & SubscriptionState & { after: SubscriptionState; createdBy: number }
/** An activation, and the subscription as it is after it. */
const putInForce = statement('activation_in_force', (db: Db | Tx, given: Given<Bought>) => {
  const subscribed = db.$with('subscribed').as(db.update(users).set(columnsFor(given)).where(eq(users.id, given.userId)))
  return db
    .with(subscribed)
    .insert(activations)
    .values({
      userId: given.userId,
      invoiceId: given.invoiceId,
      kind: given.kind,
      planId: given.planId,
      months: given.months,
      connections: given.connections,
      keepsPeriod: given.keepsPeriod,
      effectiveAt: given.paidAt,
      before: given.before,
      after: given.after,
      createdBy: given.createdBy,
    })
    .returning({ id: activations.id })
})
