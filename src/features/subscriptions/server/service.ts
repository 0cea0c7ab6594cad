import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { requestProvisioning } from '#features/provisioning/server/request.ts'
import { type Instant, isBefore } from '#kit/dates.ts'
import type { Tx } from '#server/db/connect.ts'
import { activations, segments, timeGiftCustomers, users } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import type { SubscriptionState } from '../rules.ts'
import { changeSequence } from './paid-time/change.ts'
import { purchasedSegment } from './paid-time/purchase.ts'
import { isWholePurchase, reschedulePurchases } from './paid-time/reschedule-purchases.ts'
import { type SequenceChange, usableSegments } from './paid-time/segment.ts'
import { expiredSubscription, subscriptionAt } from './paid-time/subscription-at.ts'
import {
  insertActivation,
  readSegments,
  readSequence,
  reschedule,
  type SegmentSequence,
  type Sequence,
  writeState,
} from './sequence.ts'

export type AppliedChange = { activationId: number; before: SubscriptionState; after: SubscriptionState }
type Payment = {
  userId: number
  invoiceId: number
  planId: number
  months: number
  connections: number
  paidAt: Instant
  actorId: number | null
  /** The customer's row, read under its lock. */
  before: SubscriptionState
}
const noSubscription: SubscriptionState = {
  planId: null,
  status: 'none',
  startDate: null,
  endDate: null,
  maxConnections: null,
}

/**
 * Adds the time that an invoice paid for, after the customer's remaining time or from the payment date. `listCents` is the plan's price on the invoice,
 * `paidCents` the cash and account credit paid. The caller holds the user's row lock.
 */
export async function addPurchase(
  tx: Tx,
  payment: Payment & { listCents: number; paidCents: number },
): Promise<AppliedChange> {
  const sequence = await readSegments(tx, payment.userId)
  return apply(tx, 'purchase', payment, sequence, {
    replaced: [],
    created: [purchasedSegment(sequence.segments, payment, payment.paidAt)],
  })
}

/**
 * Applies a paid plan change at the quoted price (`price` in cents, quoted at `pricedAt`). The change takes effect when it was paid, but not before
 * it was quoted. The caller holds the user's row lock and has checked that the price still holds.
 */
export async function changePlan(
  tx: Tx,
  payment: Payment & { price: number; pricedAt: Instant },
): Promise<AppliedChange> {
  const { planId, price, months, connections, pricedAt, paidAt } = payment
  const sequence = await readSequence(tx, payment.userId)
  // A payment date in the future takes effect now, because the current segment may end before it.
  const from = isBefore(paidAt, pricedAt) ? pricedAt : isBefore(sequence.now, paidAt) ? sequence.now : paidAt
  const change = changeSequence(sequence.segments, { id: planId, price, months, connections }, { at: pricedAt, from })
  return apply(tx, 'plan_change', payment, sequence, change)
}

async function apply(
  tx: Tx,
  kind: 'purchase' | 'plan_change',
  { userId, invoiceId, planId, paidAt, actorId, before }: Payment,
  { now, segments: inForce }: SegmentSequence,
  change: SequenceChange,
): Promise<AppliedChange> {
  const left = [...inForce.filter(({ id }) => !change.replaced.includes(id)), ...change.created]
  const after = subscriptionAt(left, now) ?? expiredSubscription(left)!
  const activationId = await insertActivation(
    tx,
    { userId, invoiceId, kind, planId, effectiveAt: paidAt, actorId },
    change,
    after,
  )
  await requestProvisioning(tx, userId, { cause: kind, key: `activation:${activationId}`, invoiceId })
  return { activationId, before, after }
}

type Edit = {
  userId: number
  planId: number | null
  before: SubscriptionState
  after: SubscriptionState
  actorId: number
}

/** Applies an administrator's edit. `change` was computed from `sequence`. The caller holds the user's row lock. */
export async function applyEdit(
  tx: Tx,
  { userId, planId, before, after, actorId }: Edit,
  { now }: Sequence,
  change: SequenceChange,
): Promise<AppliedChange> {
  const activationId = await insertActivation(
    tx,
    { userId, invoiceId: null, kind: 'grant', planId, effectiveAt: now, actorId },
    change,
    after,
  )
  await requestProvisioning(tx, userId, { cause: 'grant', key: `activation:${activationId}` })
  return { activationId, before, after }
}

/** Reverses the activation of an invoice. Returns undefined if none is in force. Throws like `reverseActivation`. */
export async function reversePayment(
  tx: Tx,
  { invoiceId, actorId }: { invoiceId: number; actorId: number },
): Promise<AppliedChange | undefined> {
  const [inForce] = await tx
    .select({ id: activations.id })
    .from(activations)
    .where(and(eq(activations.invoiceId, invoiceId), isNull(activations.reversedAt)))
  return inForce && reverseActivation(tx, { activationId: inForce.id, actorId })
}

/**
 * Reverses an activation exactly: its segments are deleted, the segments that it replaced are in force again, and later purchases start earlier.
 * The caller holds the user's row lock. Throws 409 `later_change`, naming what to reverse first, if a later plan change or edit depends on it.
 */
export async function reverseActivation(
  tx: Tx,
  { activationId, actorId }: { activationId: number; actorId: number },
): Promise<AppliedChange> {
  const [activation] = await tx
    .update(activations)
    .set({ reversedAt: sql`now()`, reversedBy: actorId })
    .where(and(eq(activations.id, activationId), isNull(activations.reversedAt)))
    .returning()
  if (!activation) return conflict('already_reversed', 'This has already been reversed. Nothing was changed.')
  await refuseIfLaterActivationDepends(tx, activation)
  await tx
    .update(timeGiftCustomers)
    .set({ state: 'undone', reason: null })
    .where(eq(timeGiftCustomers.activationId, activationId))
  const before = await readState(tx, activation.userId)
  await tx.delete(segments).where(eq(segments.activationId, activationId))
  await tx
    .update(segments)
    .set({ replacedBy: null, begun: sql`${segments.startsAt} <= now()` })
    .where(eq(segments.replacedBy, activationId))
  const restored = await readSequence(tx, activation.userId)
  const schedules = reschedulePurchases(restored.segments)
  await reschedule(tx, schedules)
  const placed = restored.segments.map((segment) => ({ ...segment, ...schedules.find(({ id }) => id === segment.id) }))
  const after = subscriptionAt(placed, restored.now) ?? (await stateWithoutTime(tx, activation.userId, placed))
  await writeState(tx, activation.userId, after)
  await requestProvisioning(tx, activation.userId, {
    cause: 'undo',
    key: `undo:${activationId}`,
    invoiceId: activation.invoiceId ?? undefined,
  })
  return { activationId, before, after }
}

/** Returns the subscription of a customer without remaining time: the result of the administrator's last edit, the expired subscription, or none. */
async function stateWithoutTime(tx: Tx, userId: number, left: Sequence['segments']): Promise<SubscriptionState> {
  const [last] = await tx
    .select({ kind: activations.kind, after: activations.after })
    .from(activations)
    .where(and(eq(activations.userId, userId), isNull(activations.reversedAt)))
    .orderBy(desc(activations.id))
    .limit(1)
  if (last?.kind === 'grant' && last.after.status !== 'active') return last.after
  return expiredSubscription(left) ?? noSubscription
}

type Activation = typeof activations.$inferSelect
/** Throws 409 if a later activation replaced segments of this activation, or added time after it that cannot be moved. */
async function refuseIfLaterActivationDepends(tx: Tx, activation: Activation): Promise<void> {
  const made = await tx
    .select({ startsAt: segments.startsAt, replacedBy: segments.replacedBy, activationId: segments.activationId })
    .from(segments)
    .where(
      and(
        eq(segments.userId, activation.userId),
        sql`(${segments.activationId} = ${activation.id} or ${segments.replacedBy} = ${activation.id})`,
      ),
    )
  const replacing = made.find(({ activationId, replacedBy }) => activationId === activation.id && replacedBy !== null)
  if (replacing) return refuseUntilReversed(tx, replacing.replacedBy!)
  const first = made.map(({ startsAt }) => startsAt).sort()[0]
  if (first === undefined) return
  const { segments: inForce } = await readSequence(tx, activation.userId)
  const behind = usableSegments(inForce).find(
    (segment) =>
      segment.activationId > activation.id && !isBefore(segment.startsAt, first) && !isWholePurchase(segment),
  )
  if (behind) await refuseUntilReversed(tx, behind.activationId)
}

async function refuseUntilReversed(tx: Tx, activationId: number): Promise<never> {
  const { rows } = await tx.execute<{
    kind: Activation['kind']
    number: string | null
    day: string
    by: string | null
  }>(sql`
    select a.kind, i.invoice_number as number, to_char(a.created_at at time zone 'UTC', 'FMMonth FMDD, YYYY') as day, u.username as by
    from activations a left join invoices i on i.id = a.invoice_id left join users u on u.id = a.created_by where a.id = ${activationId}`)
  const { kind, number, day, by } = rows[0]!
  if (kind === 'grant')
    return conflict(
      'later_change',
      `${by ?? 'An administrator'} edited the subscription later, on ${day}. Undo that edit first.`,
    )
  const what = kind === 'plan_change' ? 'plan change' : 'payment'
  return conflict(
    'later_change',
    `The ${what} ${number} was confirmed later and depends on this. Refund or reverse it first.`,
  )
}

/** Returns the subscription that is stored in a user's row. */
export async function readState(tx: Tx, userId: number): Promise<SubscriptionState> {
  const [row] = await tx.select(stateColumns).from(users).where(eq(users.id, userId))
  return row!
}

/** The columns of `users` that hold the subscription. */
export const stateColumns = {
  planId: users.planId,
  status: users.subscriptionStatus,
  startDate: users.subscriptionStartDate,
  endDate: users.subscriptionEndDate,
  maxConnections: users.iptvMaxConnections,
}
