import { and, eq } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { invoices, users } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { identifiesByCents } from '../../../cents-rules.ts'
import type { PaymentMethod } from '../../../contract.ts'
import { addIdentifyingCents, removeIdentifyingCents } from './identifying-cents.ts'
import { heldFor } from './use-credit.ts'

/**
 * Adds identifying cents to an unsubmitted invoice if the method is Cash App, and removes them for any other method. Returns the invoice; its amount is
 * unchanged if the setting is off, no free amount was found, or a part is already paid. Throws 404, and 409 once a payment is submitted.
 */
export async function setIdentifyingCents(
  db: Db,
  userId: number,
  invoiceNumber: string,
  method: PaymentMethod,
): Promise<typeof invoices.$inferSelect> {
  const isWanted = identifiesByCents(await settings.read(db, 'payments'), method)
  return inTransaction(db, async (tx) => {
    const [invoice] = await tx
      .select()
      .from(invoices)
      .where(and(eq(invoices.invoiceNumber, invoiceNumber), eq(invoices.userId, userId)))
      .for('no key update')
    if (!invoice) return notFound('Invoice not found')
    // Locked after the invoice, as in a confirmation; the opposite order could deadlock.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
    if ((await heldFor(tx, invoice.id)) > 0) return invoice
    const updated = isWanted ? await addIdentifyingCents(tx, invoice) : await removeIdentifyingCents(tx, invoice)
    if (!updated) return conflict('not_possible', 'The total can only be changed before a payment is submitted')
    if (updated !== invoice) await changed(tx, 'invoice', { user: userId })
    return updated
  })
}
