import { sql } from 'drizzle-orm'
import { invoices } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'

// The conditions of the partial indexes `invoices_to_check` and `invoices_without_link`, in the same words, so that PostgreSQL uses them.
const isDecidable = sql`${invoices.status} = 'pending' and (${invoices.submittedAt} is not null or ${invoices.amount} = 0)`
const lacksLink = sql`${invoices.paymentMethod} = 'creditcard' and ${invoices.paymentLink} is null`

// Subtracts instead of comparing, so that PostgreSQL does not read all open invoices from the index on `expires_at`.
const isNotExpired = sql`${invoices.expiresAt} - now() > interval '0'`

/** The time since which an invoice has been waiting for an administrator: its submission, or its creation if nothing has to be paid. */
export const waitsSince = sql<string>`coalesce(${invoices.submittedAt}, ${invoices.createdAt})`
/**
 * Whether an open received payment is proposed for the invoice. The invoice is then decided together with that payment. Repeats the condition of the
 * index `payment_cases_invoice`.
 */
const hasReceivedPayment = sql`exists (select from payment_cases c
  where c.status = 'open' and c.top_invoice_id is not null and c.top_invoice_id = ${invoices.id} and c.level <> 'none')`
/** Whether an administrator has to check an invoice: a submitted payment or a change without a charge, for which no received payment is proposed. */
export const isPaymentToCheck = sql`${isDecidable} and (${invoices.paymentMethod} is distinct from 'creditcard' or ${invoices.paymentLink} is not null)
  and ${isNotExpired} and not ${hasReceivedPayment}`
/** Whether an invoice is a card order whose payment link has not been sent yet. */
export const isWithoutLink = sql`${isDecidable} and ${lacksLink} and ${isNotExpired}`

/**
 * Whether the customer of a ticket is waiting for an answer. While the inquiry or report of the ticket is open, only that is listed, so that each
 * thread has one entry.
 */
export const isTicketWaiting = sql`waiting_since is not null
  and not exists (select from reports r where r.id = tickets.report_id and r.status = 'pending')
  and not exists (select from inquiries i where i.id = tickets.inquiry_id and i.status = 'open')`

/** Whether a row of `payment_cases` is an open received payment that is not an exact match. */
export const isToMatch = sql`status = 'open' and (not ready)`
/** Whether a row of `payment_cases` is an open received payment that is an exact match. */
export const isExactMatch = sql`status = 'open' and ready`
/**
 * The time since which a received payment has been waiting: when it was recorded, or when the order that it is proposed for was submitted, whichever
 * is earlier.
 */
export const receivedSince = sql<string>`least(created_at, (select ${waitsSince} from ${invoices}
  where ${invoices.id} = top_invoice_id and level <> 'none' and ${isDecidable}))`

const lastRead = sql`greatest(checked_at, enabled_at)`
/** The time since which the payment mailbox has been paused or not read. `isMailboxUnread`: whether it is paused or has not been read for too long. */
export const mailboxUnreadSince = sql<string>`coalesce(paused_since, ${lastRead})`
export const isMailboxUnread = sql`enabled_at is not null
  and (paused_since is not null or ${lastRead} < now() - make_interval(mins => ${limits.mailbox.silentMinutes}))`
