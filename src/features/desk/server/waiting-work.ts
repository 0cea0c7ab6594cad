import { sql } from 'drizzle-orm'
import { invoices } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'

// The conditions of the partial indexes `invoices_to_check` and `invoices_without_link`, in the same words, so that PostgreSQL uses them.
const isDecidable = sql`${invoices.status} = 'pending' and (${invoices.submittedAt} is not null or ${invoices.amount} = 0)`
const lacksLink = sql`${invoices.paymentMethod} = 'creditcard' and ${invoices.paymentLink} is null`

/** Since when an invoice waits for an administrator: its submission, or its creation where nothing has to be paid. */
export const waitsSince = sql<string>`coalesce(${invoices.submittedAt}, ${invoices.createdAt})`
/** A submitted payment, or a change without a charge, that an administrator has to check. */
export const isPaymentToCheck = sql`${isDecidable} and (${invoices.paymentMethod} is distinct from 'creditcard' or ${invoices.paymentLink} is not null) and ${invoices.expiresAt} > now()`
/** An order with a card whose payment link was not sent yet. */
export const isWithoutLink = sql`${isDecidable} and ${lacksLink} and ${invoices.expiresAt} > now()`

/** A received payment, of `payment_cases`, that is no exact match. */
export const isToMatch = sql`status = 'open' and (not ready)`

const lastRead = sql`greatest(checked_at, enabled_at)`
/** Since when the mailbox of payment emails is paused or was not read, and whether that is for too long. */
export const mailboxUnreadSince = sql<string>`coalesce(paused_since, ${lastRead})`
export const isMailboxUnread = sql`enabled_at is not null
  and (paused_since is not null or ${lastRead} < now() - make_interval(mins => ${limits.mailbox.silentMinutes}))`
