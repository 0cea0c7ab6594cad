import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { type invoices, users } from '#server/db/tables.ts'
import { changed } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'

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

/** Notifies open pages of the customer, the referrer and the administrators that the invoice has changed. */
export async function notifyInvoiceChanged(tx: Tx, userId: number, referrerId?: number): Promise<void> {
  await changed(tx, ['invoice', 'refund', 'subscription', 'credit'], { user: userId })
  if (referrerId) await changed(tx, 'credit', { user: referrerId })
}
