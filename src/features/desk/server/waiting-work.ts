import { sql } from 'drizzle-orm'
import { invoices } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'

// The conditions of the partial indexes `invoices_to_check` and `invoices_without_link`, in the same words, so that PostgreSQL uses them.
const isDecidable = sql`${invoices.status} = 'pending' and (${invoices.submittedAt} is not null or ${invoices.amount} = 0)`
const lacksLink = sql`${invoices.paymentMethod} = 'creditcard' and ${invoices.paymentLink} is null`

// A difference instead of a comparison, so that PostgreSQL does not read all open invoices from the index of their expiry.
const isNotExpired = sql`${invoices.expiresAt} - now() > interval '0'`

/** Since when an invoice waits for an administrator: its submission, or its creation where nothing has to be paid. */
export const waitsSince = sql<string>`coalesce(${invoices.submittedAt}, ${invoices.createdAt})`
/** An open received payment is proposed for the invoice, so that both are decided together. Repeats the condition of the index `payment_cases_invoice`. */
const hasReceivedPayment = sql`exists (select from payment_cases c
  where c.status = 'open' and c.top_invoice_id is not null and c.top_invoice_id = ${invoices.id} and c.level <> 'none')`
/** A submitted payment, or a change without a charge, that an administrator has to check, and that no received payment is proposed for. */
export const isPaymentToCheck = sql`${isDecidable} and (${invoices.paymentMethod} is distinct from 'creditcard' or ${invoices.paymentLink} is not null)
  and ${isNotExpired} and not ${hasReceivedPayment}`
/** An order with a card whose payment link was not sent yet. */
export const isWithoutLink = sql`${isDecidable} and ${lacksLink} and ${isNotExpired}`

/**
 * A ticket whose customer waits for an answer. While its inquiry or report is waiting, only that is listed, so that there is one entry for a
 * thread.
 */
export const isTicketWaiting = sql`waiting_since is not null
  and not exists (select from reports r where r.id = tickets.report_id and r.status = 'pending')
  and not exists (select from inquiries i where i.id = tickets.inquiry_id and i.status = 'open')`

/** A received payment, of `payment_cases`, that is not an exact match. */
export const isToMatch = sql`status = 'open' and (not ready)`
/** A received payment, of `payment_cases`, that is an exact match. */
export const isExactMatch = sql`status = 'open' and ready`
/** Since when a received payment waits: its record, or the submission of the order that it is proposed for. */
export const receivedSince = sql<string>`least(created_at, (select ${waitsSince} from ${invoices}
  where ${invoices.id} = top_invoice_id and level <> 'none' and ${isDecidable}))`

const lastRead = sql`greatest(checked_at, enabled_at)`
/** Since when the mailbox of payment emails is paused or was not read, and whether that is too long. */
export const mailboxUnreadSince = sql<string>`coalesce(paused_since, ${lastRead})`
export const isMailboxUnread = sql`enabled_at is not null
  and (paused_since is not null or ${lastRead} < now() - make_interval(mins => ${limits.mailbox.silentMinutes}))`
