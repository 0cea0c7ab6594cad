import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { requestProvisioning } from '#features/provisioning/server/request.ts'
import { type Instant, isBefore } from '#kit/dates.ts'
import type { Tx } from '#server/db/connect.ts'
import { activations, segments, users } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import type { SubscriptionState } from '../rules.ts'
import { changeSequence } from './paid-time/change.ts'
import { isWholePurchase, placePurchases } from './paid-time/place-purchases.ts'
import { purchasedSegment } from './paid-time/purchase.ts'
import { type SequenceChange, timeOf } from './paid-time/segment.ts'
import { lapsedState, shownAt } from './paid-time/shown.ts'
import { type Sequence, sequenceOf, writeAct, writePlaces, writeState } from './sequence.ts'

export type Applied = { activationId: number; before: SubscriptionState; after: SubscriptionState }
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
const nothing: SubscriptionState = {
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
): Promise<Applied> {
  const sequence = await sequenceOf(tx, payment.userId)
  return apply(tx, 'purchase', payment, sequence, {
    replaced: [],
    created: [purchasedSegment(sequence.segments, payment, payment.paidAt)],
  })
}

/**
 * Puts a paid change of plan into effect, on the segments and at the price it was priced by (`pricedAt`, `price` in cents). It takes effect when it
 * was paid, never before it was priced. The caller holds the user's row lock and has made sure that the price still holds. Decisions, Plan change.
 */
export async function changePlan(tx: Tx, payment: Payment & { price: number; pricedAt: Instant }): Promise<Applied> {
  const { planId, price, months, connections, pricedAt, paidAt } = payment
  const sequence = await sequenceOf(tx, payment.userId)
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
): Promise<Applied> {
  const left = [...inForce.filter(({ id }) => !change.replaced.includes(id)), ...change.created]
  const after = shownAt(left, now) ?? lapsedState(left)!
  const activationId = await writeAct(
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

/** Puts an administrator's edit into effect. `change` was computed from `sequence`. The caller holds the user's row lock. */
export async function applyEdit(
  tx: Tx,
  { userId, planId, before, after, actorId }: Edit,
  { now }: Sequence,
  change: SequenceChange,
): Promise<Applied> {
  const activationId = await writeAct(
    tx,
    { userId, invoiceId: null, kind: 'grant', planId, effectiveAt: now, actorId },
    change,
    after,
  )
  await requestProvisioning(tx, userId, { cause: 'grant', key: `activation:${activationId}` })
  return { activationId, before, after }
}

/** Takes back what an invoice's payment did. Returns undefined when nothing of that invoice is in force. Throws like `reverseActivation`. */
export async function reverse(
  tx: Tx,
  { invoiceId, actorId }: { invoiceId: number; actorId: number },
): Promise<Applied | undefined> {
  const [inForce] = await tx
    .select({ id: activations.id })
    .from(activations)
    .where(and(eq(activations.invoiceId, invoiceId), isNull(activations.reversedAt)))
  return inForce && reverseActivation(tx, { activationId: inForce.id, actorId })
}

/**
 * Takes an act back exactly: its segments go, those it replaced are in force again, and later purchases move up. The caller holds the user's row
 * lock. Throws 409 `later_change` when a later change of plan or edit was computed from it, and names what must go back first.
 */
export async function reverseActivation(
  tx: Tx,
  { activationId, actorId }: { activationId: number; actorId: number },
): Promise<Applied> {
  const [act] = await tx
    .update(activations)
    .set({ reversedAt: sql`now()`, reversedBy: actorId })
    .where(and(eq(activations.id, activationId), isNull(activations.reversedAt)))
    .returning()
  if (!act) return conflict('already_reversed', 'This was taken back already. Nothing was changed.')
  await refuseUnderLaterAct(tx, act)
  const before = await stateOf(tx, act.userId)
  await tx.delete(segments).where(eq(segments.activationId, activationId))
  await tx
    .update(segments)
    .set({ replacedBy: null, begun: sql`${segments.startsAt} <= now()` })
    .where(eq(segments.replacedBy, activationId))
  const restored = await sequenceOf(tx, act.userId)
  const places = placePurchases(restored.segments)
  await writePlaces(tx, places)
  const placed = restored.segments.map((segment) => ({ ...segment, ...places.find(({ id }) => id === segment.id) }))
  const after = shownAt(placed, restored.now) ?? (await stateWithoutTime(tx, act.userId, placed))
  await writeState(tx, act.userId, after)
  await requestProvisioning(tx, act.userId, { cause: 'undo', key: `undo:${activationId}`, invoiceId: act.invoiceId ?? undefined })
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
  return lapsedState(left) ?? nothing
}

type Act = typeof activations.$inferSelect
/** An act that was computed from this one, or whose time lies behind it and cannot be moved, has to go back first. */
async function refuseUnderLaterAct(tx: Tx, act: Act): Promise<void> {
  const made = await tx
    .select({ startsAt: segments.startsAt, replacedBy: segments.replacedBy, activationId: segments.activationId })
    .from(segments)
    .where(
      and(
        eq(segments.userId, act.userId),
        sql`(${segments.activationId} = ${act.id} or ${segments.replacedBy} = ${act.id})`,
      ),
    )
  const replacing = made.find(({ activationId, replacedBy }) => activationId === act.id && replacedBy !== null)
  if (replacing) return refuseBefore(tx, replacing.replacedBy!)
  const first = made.map(({ startsAt }) => startsAt).sort()[0]
  if (first === undefined) return
  const { segments: inForce } = await sequenceOf(tx, act.userId)
  const behind = timeOf(inForce).find(
    (segment) => segment.activationId > act.id && !isBefore(segment.startsAt, first) && !isWholePurchase(segment),
  )
  if (behind) await refuseBefore(tx, behind.activationId)
}

async function refuseBefore(tx: Tx, activationId: number): Promise<never> {
  const { rows } = await tx.execute<{ kind: Act['kind']; number: string | null; day: string; by: string | null }>(sql`
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
