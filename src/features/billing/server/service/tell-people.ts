import { eq } from 'drizzle-orm'
import { currentUser, listUsers } from '#features/accounts/contract.ts'
import { getCustomer } from '#features/customers/contract.ts'
import { getAccountCredit } from '#features/referrals/contract.ts'
import * as ledger from '#features/referrals/server/ledger.ts'
import type { Tx } from '#server/db/connect.ts'
import { type invoices, referralClaims, users } from '#server/db/tables.ts'
import { enqueueMail } from '#server/mail.ts'
import { notifyAdmins, notifyUser } from '#server/notify.ts'
import { getInvoiceEvidence, getInvoiceRefund, getInvoicesToConfirm } from '../../admin-contract.ts'
import { getInvoice, listAllInvoices, listInvoices, listRefunds } from '../../contract.ts'

type Claim = Pick<typeof referralClaims.$inferSelect, 'referrerId' | 'rewardedInvoiceId'>

/** What administrators see of invoices and of those who pay them: told whenever one changes. */
export const adminViews = [listAllInvoices.id, getInvoiceEvidence.id, getInvoiceRefund.id, getInvoicesToConfirm.id, listUsers.id, getCustomer.id]

/** Locks customer and referrer in ascending order, so that two confirmations can never wait for each other in a circle. */
export async function lockPeople(tx: Tx, userId: number): Promise<Claim | undefined> {
  const claimOf = () =>
    tx
      .select({ referrerId: referralClaims.referrerId, rewardedInvoiceId: referralClaims.rewardedInvoiceId })
      .from(referralClaims)
      .where(eq(referralClaims.refereeId, userId))
  const [claim] = await claimOf()
  await ledger.lockUsers(tx, claim ? [userId, claim.referrerId] : [userId])
  // Read under the lock: another payment of this customer may have earned the bonus meanwhile.
  return claim && (await claimOf())[0]
}

type Told = 'payment_confirmed' | 'plan_change_applied' | 'payment_reversed' | 'payment_rejected' | 'payment_link' | 'invoice_cancelled'
/** Puts a mail to the account's own address into the outbox, with the invoice's number, plan and amount (cents). */
export async function mailCustomer(
  tx: Tx,
  invoice: typeof invoices.$inferSelect,
  template: Told,
  dedupeKey: string,
  data: { endDate?: string | null; reason?: string; paymentLink?: string },
): Promise<void> {
  const [customer] = await tx.select({ email: users.email }).from(users).where(eq(users.id, invoice.userId))
  await enqueueMail(tx, {
    dedupeKey,
    userId: invoice.userId,
    recipient: customer!.email,
    template,
    data: { ...data, invoiceNumber: invoice.invoiceNumber, planName: invoice.planName, amount: invoice.amount },
  })
}

/** Tells the open pages of the customer, of who referred them and of administrators. */
export async function tellPeople(tx: Tx, userId: number, referrerId?: number): Promise<void> {
  await notifyUser(tx, userId, [currentUser.id, listInvoices.id, getInvoice.id, listRefunds.id, getAccountCredit.id])
  if (referrerId) await notifyUser(tx, referrerId, [getAccountCredit.id, currentUser.id])
  await notifyAdmins(tx, adminViews)
}
