import { desc, eq, sql } from 'drizzle-orm'
import { isRunning } from '#features/subscriptions/running-rules.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { trialRequests, users } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { TrialRequest } from '../../contract.ts'
import { daysBetweenTrials } from '../../rules.ts'
import { ownColumns } from './read-trial-requests.ts'

/**
 * Creates a trial request for an administrator to decide. Throws 409 while another request is open, during an active subscription, and within 30 days
 * of the last request.
 */
export async function createTrialRequest(
  db: Db,
  userId: number,
  { device, message }: { device: string; message: string },
): Promise<TrialRequest> {
  try {
    return await inTransaction(db, async (tx) => {
      await refuseUnlessAllowed(tx, userId)
      const [made] = await tx.insert(trialRequests).values({ userId, device, message }).returning(ownColumns)
      await changed(tx, 'trial_request', { user: userId })
      return made!
    })
  } catch (error) {
    if (violationOf(error)?.constraint === 'one_open_trial') return refuseAsOpen()
    throw error
  }
}

async function refuseUnlessAllowed(tx: Tx, userId: number): Promise<void> {
  const { subscriptionStatus, subscriptionEndDate } = users
  // The lock serializes this with requests from the customer's other tabs and with the confirmation of a payment.
  const [customer] = await tx
    .select({ subscriptionStatus, subscriptionEndDate, now: sql<string>`now()` })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update')
  if (isRunning(customer!, new Date(customer!.now)))
    conflict('already_subscribed', 'You already have an active subscription')

  const isOpen = sql<boolean>`${trialRequests.status} = 'pending'`
  const isRecent = sql<boolean>`${trialRequests.requestDate} > now() - make_interval(days => ${daysBetweenTrials})`
  const [last] = await tx
    .select({ isOpen, isRecent })
    .from(trialRequests)
    .where(eq(trialRequests.userId, userId))
    .orderBy(desc(isOpen), desc(trialRequests.requestDate))
    .limit(1)
  if (last?.isOpen) refuseAsOpen()
  if (last?.isRecent)
    conflict(
      'trial_too_soon',
      `You can request one trial every ${daysBetweenTrials} days. Please contact support if you need another one.`,
    )
}

const refuseAsOpen = (): never => conflict('trial_open', 'You already have a trial request that is waiting for review')
