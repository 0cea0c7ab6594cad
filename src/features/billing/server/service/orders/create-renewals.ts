import { and, eq, gt, inArray, lte, notExists, or, sql } from 'drizzle-orm'
import { tierOf } from '#features/catalog/rules.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { invoices, plans, users } from '#server/db/tables.ts'
import { changed } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import { customerDetailsFor } from '../../../rules.ts'
import { type InvoiceSettings, insertInvoice, planSnapshot, readInvoiceSettings } from './insert-invoice.ts'
import { setCredit } from './use-credit.ts'

const batchSize = 500
/** A renewal invoice can be paid until this many days after the end date that it renews. */
const daysAfterEnd = 3

/**
 * Creates a draft renewal invoice for every subscription that ends within the configured days, one per end date. Customers who pay early lose no time.
 * Skips customers with another open invoice and plans that are not on sale. Returns the number of invoices created.
 */
export async function createRenewals(db: Db): Promise<number> {
  const { daysAhead } = await settings.read(db, 'renewals')
  if (daysAhead === 0) return 0
  const { validDays, noteStyle } = await readInvoiceSettings(db)
  const form = { validDays: Math.max(validDays, daysAhead + daysAfterEnd), noteStyle }
  const due = await db
    .select({ id: users.id })
    .from(users)
    .innerJoin(plans, eq(plans.id, lastPlan))
    .where(isDue(db, daysAhead))
    .orderBy(users.subscriptionEndDate)
    .limit(batchSize)
  let made = 0
  for (const { id } of due) if (await inTransaction(db, (tx) => createRenewal(tx, id, daysAhead, form))) made++
  return made
}

async function createRenewal(tx: Tx, userId: number, daysAhead: number, form: InvoiceSettings): Promise<boolean> {
  // The lock serializes this with the customer's checkout, so the condition is checked again after the lock is acquired.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
  const [due] = await tx
    .select({ email: users.email, endDate: users.subscriptionEndDate, plan: plans })
    .from(users)
    .innerJoin(plans, eq(plans.id, lastPlan))
    .where(and(eq(users.id, userId), isDue(tx, daysAhead)))
  if (!due) return false
  const { email, plan } = due
  const description = `Renewal of ${plan.name}, ${tierOf(plan).caption}`
  const draft = await insertInvoice(
    tx,
    { ...planSnapshot(plan), userId, description, customerDetails: customerDetailsFor(email), renewsEnd: due.endDate },
    [{ kind: 'plan', description, amount: plan.price }],
    form,
  )
  const { amount, invoiceNumber } = (await setCredit(tx, draft, true)) ?? draft
  await enqueueMail(tx, {
    dedupeKey: `renewal_invoice:${draft.id}`,
    userId,
    recipient: email,
    template: 'renewal_invoice',
    data: { invoiceNumber, planName: plan.name, amount, endDate: due.endDate },
  })
  await changed(tx, 'invoice', { user: userId })
  return true
}

/** The plan of the customer's last segment is the one to renew. */
const lastPlan = sql`(select s.plan_id from segments s where s.user_id = users.id and s.replaced_by is null and not s.withdrawn order by s.starts_at desc limit 1)`

// Days are 24 hours: calendar days vary in length with daylight saving time.
const isDue = (db: Db | Tx, daysAhead: number) =>
  and(
    eq(users.subscriptionStatus, 'active'),
    gt(users.subscriptionEndDate, sql`now()`),
    lte(users.subscriptionEndDate, sql`now() + interval '24 hours' * ${daysAhead}::int`),
    eq(plans.hidden, false),
    notExists(
      db
        .select({ id: invoices.id })
        .from(invoices)
        .where(
          and(
            eq(invoices.userId, users.id),
            or(inArray(invoices.status, ['draft', 'pending']), eq(invoices.renewsEnd, users.subscriptionEndDate)),
          ),
        ),
    ),
  )
