import { eq, or, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { isBefore } from '#kit/dates.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { plans, subscriptionMoves, users } from '#server/db/tables.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import type { Approver } from '#server/session/actor.ts'
import type { moveForm, previewMoveSubscription } from '../../../admin-move-contract.ts'
import type { SubscriptionState } from '../../../rules.ts'
import { editSequence } from '../../paid-time/edit.ts'
import { type NewSegment, splitAt, usableSegments, withoutKeys } from '../../paid-time/segment.ts'
import { subscriptionAt } from '../../paid-time/subscription-at.ts'
import { readSequence } from '../../sequence.ts'
import { applyEdit, readState } from '../../service.ts'
import { lockCustomer } from '../gifts/add-days.ts'
import { outcomeOf } from '../preview-edit.ts'
import { notifySubscriptionChanged, refuseOwnSubscription } from '../update-subscription.ts'

type Account = { id: number; username: string; email: string }
type Preview = z.output<(typeof previewMoveSubscription)['output']>

/**
 * Returns the effect of a move on the other account, found by moving and rolling back. Throws 404, and 400 on `to` for an unknown account or the
 * same account.
 */
export async function previewMove(db: Db, fromId: number, to: string, actor: Approver): Promise<Preview> {
  const { id, username, email } = await findOther(db, fromId, to)
  const outcome = await outcomeOf(db, id, (tx) => move(tx, fromId, id, { emails: false }, actor))
  return { toUserId: id, username, email, outcome }
}

/**
 * Moves the remaining paid time of a customer to another account: it is withdrawn from the first account with its cents, and granted to the other
 * account without cents. Throws like `previewMove`, and 409 if `to` now names a different account than in the preview, if there is no time to move,
 * or if the other account has time left.
 */
export async function moveSubscription(
  db: Db,
  fromId: number,
  { to, toUserId, emails }: z.output<typeof moveForm> & { toUserId: number },
  actor: Approver,
): Promise<{ username: string }> {
  const { id, username } = await findOther(db, fromId, to)
  if (id !== toUserId) conflict('stale', 'This name now belongs to a different account. Nothing was changed.')
  await inTransaction(db, (tx) => move(tx, fromId, id, { emails }, actor))
  return { username }
}

async function findOther(db: Db, fromId: number, to: string): Promise<Account> {
  const [from] = await db.select({ id: users.id }).from(users).where(eq(users.id, fromId))
  if (!from) notFound('User not found')
  const [found] = await db
    .select({ id: users.id, username: users.username, email: users.email })
    .from(users)
    .where(or(sql`lower(${users.username}) = lower(${to})`, sql`lower(${users.email}) = lower(${to})`))
    .limit(1)
  if (!found) return invalid('to', 'No account has this username or email address', 'unknown_account')
  if (found.id === fromId) return invalid('to', 'Please enter a different account')
  return found
}

async function move(
  tx: Tx,
  fromId: number,
  toId: number,
  { emails }: { emails: boolean },
  actor: Approver,
): Promise<void> {
  refuseOwnSubscription(fromId, actor)
  refuseOwnSubscription(toId, actor)
  // In ascending order of ids, so that two moves cannot deadlock.
  const locked = new Map<number, Account>()
  for (const id of [fromId, toId].sort((a, b) => a - b)) locked.set(id, await lockCustomer(tx, id))
  const [from, to] = [locked.get(fromId)!, locked.get(toId)!]
  const actorId = actor.admin.id

  const [before, sequence] = [await readState(tx, fromId), await readSequence(tx, fromId)]
  const { now } = sequence
  const moved = usableSegments(sequence.segments).flatMap((segment) => remaining(withoutKeys(segment), now))
  if (before.status !== 'active' || moved.length === 0)
    return conflict('no_time', `${from.username} has no paid time left. Nothing was changed.`)
  const target = await readSequence(tx, toId)
  if (usableSegments(target.segments).some(({ endsAt }) => isBefore(now, endsAt)))
    return conflict('has_time', `${to.username} has paid time left, which cannot be combined. Nothing was changed.`)

  const left: SubscriptionState = { ...before, status: 'cancelled', endDate: now }
  const withdrawn = await applyEdit(
    tx,
    { userId: fromId, planId: before.planId, before, after: left, actorId },
    sequence,
    editSequence(sequence.segments, { now, period: null }),
  )
  const toBefore = await readState(tx, toId)
  const after = subscriptionAt([...target.segments, ...moved], now)!
  const granted = await applyEdit(
    tx,
    { userId: toId, planId: after.planId, before: toBefore, after, actorId },
    target,
    { replaced: [], created: moved },
  )
  await tx.insert(subscriptionMoves).values({
    fromUserId: fromId,
    toUserId: toId,
    fromActivation: withdrawn.activationId,
    toActivation: granted.activationId,
    createdBy: actorId,
  })
  const entry = { actorId, action: 'user.move_subscription', targetType: 'user', requestId: actor.requestId } as const
  await audit(tx, { ...entry, targetId: fromId, before: {}, after: { to: to.username } })
  await audit(tx, { ...entry, targetId: toId, before: { from: from.username }, after: { endDate: after.endDate } })
  for (const [account, state, id] of [
    [from, left, withdrawn.activationId],
    [to, after, granted.activationId],
  ] as const) {
    if (emails) await email(tx, account, state, id)
    await notifySubscriptionChanged(tx, account.id)
  }
}

/** Returns the part of a segment after `now`, without its paid cents, which stay with the account that paid. */
function remaining(segment: NewSegment, now: string): NewSegment[] {
  if (!isBefore(now, segment.endsAt)) return []
  const part = isBefore(segment.startsAt, now) ? splitAt(segment, now)[1] : segment
  return [{ ...part, paidCents: 0, closed: false }]
}

async function email(tx: Tx, { id, email: recipient }: Account, state: SubscriptionState, key: number): Promise<void> {
  const { planId, status, startDate, endDate } = state
  const [plan] = planId === null ? [] : await tx.select({ name: plans.name }).from(plans).where(eq(plans.id, planId))
  await enqueueMail(tx, {
    dedupeKey: `subscription_changed:${key}`,
    userId: id,
    recipient,
    template: 'subscription_changed',
    data: { planName: plan?.name ?? null, status, startDate, endDate },
  })
}
