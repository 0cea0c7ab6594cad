import { eq, sql } from 'drizzle-orm'
import { currentUser, listUsers } from '#features/accounts/contract.ts'
import { getCustomer } from '#features/customers/contract.ts'
import { getAccountCredit } from '#features/referrals/contract.ts'
import { listPaidTime } from '#features/subscriptions/contract.ts'
import type { SubscriptionState } from '#features/subscriptions/rules.ts'
import { stateColumns } from '#features/subscriptions/server/service.ts'
import type { Tx } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { type invoices, referralClaims, users } from '#server/db/tables.ts'
import { notifyAdmins, notifyUser } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import { getInvoiceEvidence, getInvoiceRefund, getInvoicesToConfirm, listAllInvoices } from '../../admin-contract.ts'
import { getInvoice, listInvoices, listRefunds } from '../../contract.ts'

type Claim = Pick<typeof referralClaims.$inferSelect, 'referrerId' | 'rewardedInvoiceId'>
/** Whom a decision concerns, as they are under their locks; `usedCredit` are the cents that the invoice's credit line takes off, `listPrice` those of its plan line. */
type People = {
  email: string
  state: SubscriptionState
  usedCredit: number
  listPrice: number
  claim: Claim | undefined
}

/** What administrators see of invoices and of those who pay them: told whenever one changes. */
export const adminInvoiceEndpoints = [
  listAllInvoices.id,
  getInvoiceEvidence.id,
  getInvoiceRefund.id,
  getInvoicesToConfirm.id,
  listUsers.id,
  getCustomer.id,
]

/**
 * Locks customer and referrer in ascending order, so that two confirmations can never wait for each other in a circle. The caller holds the
 * invoice's row lock.
 */
export async function lockPeople(
  tx: Tx,
  { id: invoiceId, userId }: Pick<typeof invoices.$inferSelect, 'id' | 'userId'>,
): Promise<People> {
  const locked = await lockBoth(tx, { userId, invoiceId })
  const { email, usedCredit, listPrice, referrerId, state } = locked.find(({ id }) => id === userId)!
  // Read under the lock: another payment of this customer may have earned the bonus meanwhile.
  const [claim] = referrerId === null ? [] : await claimOf(tx, { userId })
  return { email, state, usedCredit, listPrice, claim }
}
const referrer = (userId: unknown) =>
  sql<number | null>`(select referrer_id from referral_claims where referee_id = ${userId})`
// A locked row is read as it is when the lock is got, what stands in brackets as it was before: who referred somebody stays, and lines wait for their invoice.
const lockBoth = statement('people_lock', (tx, { userId, invoiceId }: Params<{ userId: number; invoiceId: number }>) =>
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

type Told =
  | 'payment_confirmed'
  | 'plan_change_applied'
  | 'payment_reversed'
  | 'payment_rejected'
  | 'payment_link'
  | 'invoice_cancelled'
/** Puts a mail to the account's own address, which is looked up where it is not known, into the outbox, with the invoice's number, plan and amount (cents). */
export async function mailCustomer(
  tx: Tx,
  invoice: typeof invoices.$inferSelect,
  template: Told,
  dedupeKey: string,
  data: { endDate?: string | null; reason?: string; paymentLink?: string },
  email?: string,
): Promise<void> {
  const recipient =
    email ?? (await tx.select({ email: users.email }).from(users).where(eq(users.id, invoice.userId)))[0]!.email
  await enqueueMail(tx, {
    dedupeKey,
    userId: invoice.userId,
    recipient,
    template,
    data: { ...data, invoiceNumber: invoice.invoiceNumber, planName: invoice.planName, amount: invoice.amount },
  })
}

/** Tells the open pages of the customer, of who referred them and of administrators. */
export async function notifyPeople(tx: Tx, userId: number, referrerId?: number): Promise<void> {
  await notifyUser(tx, userId, [
    currentUser.id,
    listInvoices.id,
    getInvoice.id,
    listRefunds.id,
    getAccountCredit.id,
    listPaidTime.id,
  ])
  if (referrerId) await notifyUser(tx, referrerId, [getAccountCredit.id, currentUser.id])
  await notifyAdmins(tx, adminInvoiceEndpoints)
}
