import { and, asc, eq, gt, isNotNull, isNull, lte, notExists, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { invoices, mails, users } from '#server/db/tables.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'

const batchSize = 500

/**
 * Emails customers, once per order, when an unsubmitted order expires within the configured hours, but not before half of its validity has passed.
 * Skips renewals, which have their own reminders, and customers with a payment under review. Returns the number of emails.
 */
export async function remindOrders(db: Db): Promise<number> {
  const { reminderHours } = await settings.read(db, 'invoices')
  if (reminderHours === 0) return 0
  return inTransaction(db, async (tx) => {
    const submitted = alias(invoices, 'submitted')
    const keyOf = sql<string>`'order_waiting:' || ${invoices.id}`
    const due = await tx
      .select({
        id: invoices.id,
        userId: invoices.userId,
        email: users.email,
        invoiceNumber: invoices.invoiceNumber,
        planId: invoices.planId,
        planName: invoices.planName,
        amount: invoices.amount,
        expiresAt: invoices.expiresAt,
      })
      .from(invoices)
      .innerJoin(users, eq(users.id, invoices.userId))
      .where(
        and(
          eq(invoices.status, 'draft'),
          eq(invoices.kind, 'purchase'),
          isNull(invoices.renewsEnd),
          gt(invoices.expiresAt, sql`now()`),
          lte(invoices.expiresAt, sql`now() + interval '1 hour' * ${reminderHours}::int`),
          sql`${invoices.createdAt} + (${invoices.expiresAt} - ${invoices.createdAt}) / 2 <= now()`,
          notExists(
            tx
              .select({ id: submitted.id })
              .from(submitted)
              .where(
                and(
                  eq(submitted.userId, invoices.userId),
                  eq(submitted.status, 'pending'),
                  isNotNull(submitted.submittedAt),
                ),
              ),
          ),
          notExists(tx.select({ id: mails.id }).from(mails).where(eq(mails.dedupeKey, keyOf))),
        ),
      )
      .orderBy(asc(invoices.expiresAt))
      .limit(batchSize)
    for (const { id, userId, email, ...data } of due)
      await enqueueMail(tx, {
        dedupeKey: `order_waiting:${id}`,
        userId,
        recipient: email,
        template: 'order_waiting',
        data,
      })
    return due.length
  })
}
