import { eq } from 'drizzle-orm'
import { listUsers } from '#features/accounts/admin-contract.ts'
import { currentUser } from '#features/accounts/contract.ts'
import { getCustomer } from '#features/customers/admin-contract.ts'
import { getAccountCredit } from '#features/referrals/contract.ts'
import { listPaidTime } from '#features/subscriptions/contract.ts'
import type { Tx } from '#server/db/connect.ts'
import { type invoices, users } from '#server/db/tables.ts'
import { notifyAdmins, notifyUser } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import { getInvoiceEvidence, getInvoicesToConfirm, listAllInvoices } from '../../admin-contract.ts'
import { getInvoiceRefund } from '../../admin-refund-contract.ts'
import { getInvoice, listInvoices, listRefunds } from '../../contract.ts'

/** Admin endpoints that show invoices or their customers. They are refreshed whenever an invoice changes. */
export const adminInvoiceEndpoints = [
  listAllInvoices.id,
  getInvoiceEvidence.id,
  getInvoiceRefund.id,
  getInvoicesToConfirm.id,
  listUsers.id,
  getCustomer.id,
]

type CustomerMail =
  | 'payment_confirmed'
  | 'plan_change_applied'
  | 'payment_reversed'
  | 'payment_rejected'
  | 'payment_link'
  | 'invoice_cancelled'
/** Enqueues an email to the customer about an invoice. Without `email`, the account's address is looked up. */
export async function mailCustomer(
  tx: Tx,
  invoice: typeof invoices.$inferSelect,
  template: CustomerMail,
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

/** Notifies the open pages of the customer, the referrer and the administrators. */
export async function notifyInvoiceChanged(tx: Tx, userId: number, referrerId?: number): Promise<void> {
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
