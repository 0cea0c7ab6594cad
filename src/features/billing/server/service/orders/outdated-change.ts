import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { fingerprintAt } from '#features/subscriptions/server/sequence.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { invoices, users } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { mailCustomer, notifyInvoiceChanged } from '../notify-invoice-changed.ts'

type Row = typeof invoices.$inferSelect

/**
 * Throws 409 `change_outdated` when the price of a plan change no longer holds: the segments it was based on have changed, the current one has
 * ended, or the customer did not pay while the price was valid. The caller holds the customer's row lock.
 */
export async function refuseOutdatedChange(tx: Tx, invoice: Pick<Row, 'id' | 'kind'>, message: string): Promise<void> {
  if (await isOutdated(tx, invoice)) conflict('change_outdated', message)
}

/**
 * Cancels open plan changes that are unpaid and whose price no longer holds, so that a new one can be requested, and emails the customers.
 * Submitted payments are left to an administrator. Returns the number of cancelled invoices.
 */
export async function closeOutdatedChanges(db: Db): Promise<number> {
  const found = await db
    .select({ userId: invoices.userId })
    .from(invoices)
    .innerJoin(users, eq(users.id, invoices.userId))
    .where(and(isUnpaidChange, isPriceOutdated))
  let closed = 0
  for (const { userId } of found)
    if (
      await inTransaction(db, async (tx) => {
        await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
        return closeOutdatedChange(tx, userId)
      })
    )
      closed++
  return closed
}

/** Does the same as `closeOutdatedChanges` for one customer. The caller holds the customer's row lock. Returns whether an invoice was cancelled. */
export async function closeOutdatedChange(tx: Tx, userId: number): Promise<boolean> {
  const [open] = await tx
    .select()
    .from(invoices)
    .where(and(eq(invoices.userId, userId), isUnpaidChange))
  if (!open || !(await isOutdated(tx, open))) return false
  const [closed] = await tx
    .update(invoices)
    .set({ status: 'cancelled', version: sql`${invoices.version} + 1` })
    .where(and(eq(invoices.id, open.id), eq(invoices.version, open.version), isUnpaidChange))
    .returning()
  if (!closed) return false
  await mailCustomer(tx, closed, 'invoice_cancelled', `invoice_moved:${closed.id}:${closed.version}`, {})
  await notifyInvoiceChanged(tx, userId)
  return true
}

const isUnpaidChange = and(
  eq(invoices.kind, 'plan_change'),
  inArray(invoices.status, ['draft', 'pending']),
  isNull(invoices.submittedAt),
)
const pricedField = (field: string) => sql`(${invoices.pricedFrom} ->> ${field})`
/** Whether the price of a plan change no longer holds. Also true without `pricedFrom` and for rows of earlier releases, which do not record the segments. */
const isPriceOutdated = sql<boolean>`coalesce(${fingerprintAt(sql`${pricedField('at')}::timestamptz`)} is distinct from ${pricedField('segments')}
  or ${pricedField('segments')} is null
  or ${pricedField('periodEnd')}::timestamptz <= now()
  or ${pricedField('validUntil')}::timestamptz <= coalesce(${invoices.submittedAt}, now()), true)`

async function isOutdated(tx: Tx, { id, kind }: Pick<Row, 'id' | 'kind'>): Promise<boolean> {
  if (kind !== 'plan_change') return false
  const [row] = await tx
    .select({ isOutdated: isPriceOutdated })
    .from(invoices)
    .innerJoin(users, eq(users.id, invoices.userId))
    .where(eq(invoices.id, id))
  return row!.isOutdated
}
