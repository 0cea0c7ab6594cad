import { eq, sql } from 'drizzle-orm'
import type { SubscriptionState } from '#features/subscriptions/rules.ts'
import { stateColumns } from '#features/subscriptions/server/service.ts'
import type { Tx } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { type invoices, referralClaims, users } from '#server/db/tables.ts'

type Claim = Pick<typeof referralClaims.$inferSelect, 'referrerId' | 'rewardedInvoiceId'>
/** Whom a decision concerns, as they are under their locks; `usedCredit` are the cents that the invoice's credit line takes off, `listPrice` those of its plan line. */
type Locked = {
  email: string
  state: SubscriptionState
  usedCredit: number
  listPrice: number
  claim: Claim | undefined
}

/**
 * Locks customer and referrer in ascending order, so that two confirmations can never wait for each other in a circle. The caller holds the
 * invoice's row lock.
 */
export async function lockCustomerAndReferrer(
  tx: Tx,
  { id: invoiceId, userId }: Pick<typeof invoices.$inferSelect, 'id' | 'userId'>,
): Promise<Locked> {
  const locked = await lockRows(tx, { userId, invoiceId })
  const { email, usedCredit, listPrice, referrerId, state } = locked.find(({ id }) => id === userId)!
  // Read under the lock: another payment of this customer may have earned the bonus meanwhile.
  const [claim] = referrerId === null ? [] : await claimOf(tx, { userId })
  return { email, state, usedCredit, listPrice, claim }
}
const referrer = (userId: unknown) =>
  sql<number | null>`(select referrer_id from referral_claims where referee_id = ${userId})`
// A locked row is read as it is when the lock is got, what stands in brackets as it was before: who referred somebody stays, and lines wait for their invoice.
const lockRows = statement('people_lock', (tx, { userId, invoiceId }: Params<{ userId: number; invoiceId: number }>) =>
  tx
    .select({
      id: users.id,
      email: users.email,
      state: stateColumns,
      referrerId: referrer(userId),
      usedCredit: sql<number>`(select coalesce(-sum(amount), 0)::int from invoice_lines where invoice_id = ${invoiceId} and kind = 'credit')`,
      listPrice: sql<number>`(select coalesce(sum(amount), 0)::int from invoice_lines where invoice_id = ${invoiceId} and kind = 'plan')`,
    })
    .from(users)
    .where(sql`${users.id} in (${userId}, ${referrer(userId)})`)
    .orderBy(users.id)
    .for('no key update'),
)
const claimOf = statement('claim_of', (tx, { userId }: Params<{ userId: number }>) =>
  tx
    .select({ referrerId: referralClaims.referrerId, rewardedInvoiceId: referralClaims.rewardedInvoiceId })
    .from(referralClaims)
    .where(eq(referralClaims.refereeId, userId)),
)
