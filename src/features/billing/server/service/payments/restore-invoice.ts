import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { invoices } from '#server/db/tables.ts'
import type { Approver } from '#server/session/actor.ts'
import type { InvoiceStatus } from '../../../contract.ts'
import { notifyInvoiceChanged } from '../notify-invoice-changed.ts'
import type { BillingTerms } from './decision.ts'
import { moveBack, referenceIfFree } from './move-back.ts'

/** The state of an invoice before a payment was confirmed or held for it. */
export type InvoiceBefore = { id: number; status: InvoiceStatus; expiresAt: string }

/**
 * Reverses the confirmation of an invoice and restores its previous status and expiry date. The caller must already have reversed the allocations to
 * this invoice. Throws 409 if the payment cannot be reversed, for example because the credit that it added is spent.
 */
export async function undoConfirmation(
  tx: Tx,
  before: InvoiceBefore,
  terms: BillingTerms,
  actor: Approver,
): Promise<void> {
  await moveBack(tx, before.id, { status: 'pending' }, terms, actor)
  await restoreInvoice(tx, before)
}

/** Sets an open invoice back to an earlier status and expiry date. An earlier draft becomes pending if the customer has another draft by now. */
export async function restoreInvoice(tx: Tx, { id, status, expiresAt }: InvoiceBefore): Promise<void> {
  const otherDraft = sql`exists (select from invoices other where other.user_id = ${invoices.userId} and other.status = 'draft'
    and other.kind = 'purchase' and other.id <> ${invoices.id})`
  await tx
    .update(invoices)
    .set({
      status: sql`case when ${status} = 'draft' and ${otherDraft} then 'pending' else ${status} end`,
      expiresAt: sql`${expiresAt}::timestamptz`,
      version: sql`${invoices.version} + 1`,
    })
    .where(and(eq(invoices.id, id), inArray(invoices.status, ['draft', 'pending'])))
}

/**
 * Keeps an unpaid invoice open for `days` more days, because a part of its amount was received. An expired invoice becomes pending again. Returns the
 * invoice; undefined if it is paid or closed.
 */
export async function keepOpen(
  tx: Tx,
  invoiceId: number,
  days: number,
): Promise<typeof invoices.$inferSelect | undefined> {
  const [kept] = await tx
    .update(invoices)
    .set({
      status: sql`case when ${invoices.status} = 'expired' then 'pending' else ${invoices.status} end`,
      paymentReference: referenceIfFree,
      expiresAt: sql`greatest(${invoices.expiresAt}, now()) + make_interval(days => ${days})`,
      version: sql`${invoices.version} + 1`,
    })
    .where(and(eq(invoices.id, invoiceId), inArray(invoices.status, ['draft', 'pending', 'expired'])))
    .returning()
  if (kept) await notifyInvoiceChanged(tx, kept.userId)
  return kept
}
