import { eq, sql } from 'drizzle-orm'
import type { SubscriptionState } from '#features/subscriptions/rules.ts'
import { stateColumns } from '#features/subscriptions/server/service.ts'
import type { Tx } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { type invoices, referralClaims, users } from '#server/db/tables.ts'
import type { AdminInvoice } from '../../../admin-contract.ts'

type Refund = AdminInvoice['refund']
type Claim = Pick<typeof referralClaims.$inferSelect, 'referrerId' | 'rewardedInvoiceId'>
/** The locked customer with the referral claim. `usedCredit` and `listPrice` are the amounts (cents) of the invoice's credit and plan items. */
type Locked = {
  username: string
  email: string
  state: SubscriptionState
  usedCredit: number
  listPrice: number
  /** The status of the invoice's refund request. */
  refund: Refund
  claim: Claim | undefined
}

/**
 * Locks the rows of the customer and the referrer by ascending id, so that two confirmations cannot deadlock. The caller holds the invoice's row
 * lock.
 */
export async function lockCustomerAndReferrer(
  tx: Tx,
  { id: invoiceId, userId }: Pick<typeof invoices.$inferSelect, 'id' | 'userId'>,
): Promise<Locked> {
  const locked = await lockRows(tx, { userId, invoiceId })
  const { referrerId, ...customer } = locked.find(({ id }) => id === userId)!
  // Read under the lock, because another payment of this customer may have earned the bonus.
  const [claim] = referrerId === null ? [] : await claimOf(tx, { userId })
  return { ...customer, claim }
}
const referrer = (userId: unknown) =>
  sql<number | null>`(select referrer_id from referral_claims where referee_id = ${userId})`
// Columns of a locked row are read after the lock is granted, but subqueries see the earlier snapshot. That is safe here: a referrer never changes,
// and items change only under the invoice's lock.
const lockRows = statement('people_lock', (tx, { userId, invoiceId }: Params<{ userId: number; invoiceId: number }>) =>
  tx
    .select({
      id: users.id,
      username: users.username,
      email: users.email,
      state: stateColumns,
      referrerId: referrer(userId),
      usedCredit: sql<number>`(select coalesce(-sum(amount), 0)::int from invoice_lines where invoice_id = ${invoiceId} and kind = 'credit')`,
      listPrice: sql<number>`(select coalesce(sum(amount), 0)::int from invoice_lines where invoice_id = ${invoiceId} and kind = 'plan')`,
      refund: sql<Refund>`(select status from refund_requests where invoice_id = ${invoiceId})`,
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
