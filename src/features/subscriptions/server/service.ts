import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { aim } from '#features/lines/server/service/aim.ts'
import { type Instant, isBefore } from '#kit/dates.ts'
import type { Tx } from '#server/db/connect.ts'
import { activations, segments, users } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import type { SubscriptionState } from '../rules.ts'
import { changeSequence } from './paid-time/change.ts'
import { purchasedSegment } from './paid-time/purchase.ts'
import { isWholePurchase, reschedulePurchases } from './paid-time/reschedule-purchases.ts'
import { type SequenceChange, usableSegments } from './paid-time/segment.ts'
import { expiredSubscription, subscriptionAt } from './paid-time/subscription-at.ts'
import { insertActivation, readSequence, reschedule, type Sequence, writeState } from './sequence.ts'

export type AppliedChange = { activationId: number; before: SubscriptionState; after: SubscriptionState }
type Payment = {
  userId: number
  invoiceId: number
  planId: number
  months: number
  connections: number
  paidAt: Instant
  actorId: number
  /** What the customer's row shows under its lock. */
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
 * Adds the time an invoice bought: behind the time already paid for, or from the payment on. `listCents` is the plan's price on the invoice,
 * `paidCents` the cash and account credit paid. The caller holds the user's row lock. Decisions, Marking an invoice paid and Paid time.
 */
export async function addPurchase(
  tx: Tx,
  payment: Payment & { listCents: number; paidCents: number },
): Promise<AppliedChange> {
  const sequence = await readSequence(tx, payment.userId)
  return apply(tx, 'purchase', payment, sequence, {
    replaced: [],
    created: [purchasedSegment(sequence.segments, payment, payment.paidAt)],
  })
}

/**
 * Puts a paid change of plan into effect, on the segments and at the price it was priced by (`pricedAt`, `price` in cents). It takes effect when it
 * was paid, never before it was priced. The caller holds the user's row lock and has made sure that the price still holds. Decisions, Plan change.
 */
export async function changePlan(
  tx: Tx,
  payment: Payment & { price: number; pricedAt: Instant },
): Promise<AppliedChange> {
  const { planId, price, months, connections, pricedAt, paidAt } = payment
  const sequence = await readSequence(tx, payment.userId)
  // A payment date in the future takes effect now: the time that runs may end before it.
  const from = isBefore(paidAt, pricedAt) ? pricedAt : isBefore(sequence.now, paidAt) ? sequence.now : paidAt
  const change = changeSequence(sequence.segments, { id: planId, price, months, connections }, { at: pricedAt, from })
  return apply(tx, 'plan_change', payment, sequence, change)
}

async function apply(
  tx: Tx,
  kind: 'purchase' | 'plan_change',
  { userId, invoiceId, planId, paidAt, actorId, before }: Payment,
  { now, segments: inForce }: Sequence,
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
  await aim(tx, userId, { cause: kind, key: `activation:${activationId}`, invoiceId })
  return { activationId, before, after }
}

type Edit = {
  userId: number
  planId: number | null
  before: SubscriptionState
  after: SubscriptionState
  actorId: number
}

/** Puts an administrator's edit into effect. `change` was computed from `sequence`. The caller holds the user's row lock. */
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
  await aim(tx, userId, { cause: 'grant', key: `activation:${activationId}` })
  return { activationId, before, after }
}

/** Takes back what an invoice's payment did. Returns undefined when nothing of that invoice is in force. Throws like `reverseActivation`. */
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
 * Takes an activation back exactly: its segments go, those it replaced are in force again, and later purchases move up. The caller holds the user's row
 * lock. Throws 409 `later_change` when a later change of plan or edit was computed from it, and names what must go back first.
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
  if (!activation) return conflict('already_reversed', 'This was taken back already. Nothing was changed.')
  await refuseIfLaterActivationDepends(tx, activation)
  const before = await readState(tx, activation.userId)
  await tx.delete(segments).where(eq(segments.activationId, activationId))
  await tx
    .update(segments)
    .set({ replacedBy: null, begun: sql`${segments.startsAt} <= now()` })
    .where(eq(segments.replacedBy, activationId))
  const restored = await readSequence(tx, activation.userId)
  const places = reschedulePurchases(restored.segments)
  await reschedule(tx, places)
  const placed = restored.segments.map((segment) => ({ ...segment, ...places.find(({ id }) => id === segment.id) }))
  const after = subscriptionAt(placed, restored.now) ?? (await stateWithoutTime(tx, activation.userId, placed))
  await writeState(tx, activation.userId, after)
  await aim(tx, activation.userId, {
    cause: 'undo',
    key: `undo:${activationId}`,
    invoiceId: activation.invoiceId ?? undefined,
  })
  return { activationId, before, after }
}

/** What is shown of a customer without time left: what an administrator set last, what has run out, or nothing. */
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
/** An activation that was computed from this one, or whose time lies behind it and cannot be moved, has to go back first. */
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
      `${by ?? 'An administrator'} edited the subscription on ${day}, after this. Undo that edit first.`,
    )
  const what = kind === 'plan_change' ? 'plan change' : 'payment'
  return conflict(
    'later_change',
    `The ${what} ${number} was confirmed later and builds on this. Refund or undo that one first.`,
  )
}

/** The subscription of a user as the row shows it. */
export async function readState(tx: Tx, userId: number): Promise<SubscriptionState> {
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
