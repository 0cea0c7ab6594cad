import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import * as subscriptions from '#features/subscriptions/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { invoices, users } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { mailCustomer, tellPeople } from './tell-people.ts'

type Row = typeof invoices.$inferSelect

/** Throws 409 when a change of plan was priced by another plan or other dates than the customer's subscription has now. Time alone changes no sum. */
export async function refuseOutdatedChange(tx: Tx, invoice: Row, message: string): Promise<void> {
  if (await isOutdated(tx, invoice)) conflict('change_outdated', message)
}

/**
 * Cancels open changes of plan that nobody has paid yet and whose price no longer holds, so that they can be asked for anew; their customers
 * are told. What waits to be checked is an administrator's to decide. Returns how many.
 */
export async function closeOutdatedChanges(db: Db): Promise<number> {
  const found = await db
    .select({ userId: invoices.userId })
    .from(invoices)
    .innerJoin(users, eq(users.id, invoices.userId))
    .where(and(isUnpaidChange, isPricedOtherwise))
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

/** The same for one customer, whose row lock the caller holds. Returns whether there was one. */
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
  await tellPeople(tx, userId)
  return true
}

const isUnpaidChange = and(eq(invoices.kind, 'plan_change'), inArray(invoices.status, ['draft', 'pending']), isNull(invoices.submittedAt))
const kept = (field: string) => sql`date_trunc('milliseconds', (${invoices.pricedFrom} ->> ${field})::timestamptz)`
const isPricedOtherwise = sql`(${users.planId} IS DISTINCT FROM (${invoices.pricedFrom} ->> 'planId')::int
  OR date_trunc('milliseconds', ${users.subscriptionStartDate}) IS DISTINCT FROM ${kept('startDate')}
  OR date_trunc('milliseconds', ${users.subscriptionEndDate}) IS DISTINCT FROM ${kept('endDate')}) AND ${invoices.pricedFrom} IS NOT NULL`

async function isOutdated(tx: Tx, { userId, pricedFrom }: Row): Promise<boolean> {
  if (pricedFrom === null) return false
  const now = await subscriptions.stateOf(tx, userId)
  return now.planId !== pricedFrom.planId || time(now.startDate) !== time(pricedFrom.startDate) || time(now.endDate) !== time(pricedFrom.endDate)
}
const time = (instant: string | null): number | null => (instant === null ? null : new Date(instant).getTime())
