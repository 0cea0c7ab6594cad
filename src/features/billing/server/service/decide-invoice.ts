import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { currentUser } from '#features/accounts/contract.ts'
import { getAccountCredit } from '#features/referrals/contract.ts'
import * as ledger from '#features/referrals/server/ledger.ts'
import * as settings from '#features/settings/server/service.ts'
import * as subscriptions from '#features/subscriptions/server/service.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { invoiceLines, invoices, referralClaims, users } from '#server/db/tables.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import { enqueueMail } from '#server/mail.ts'
import { notifyAdmins, notifyUser } from '#server/notify.ts'
import type { SessionUser } from '#server/session.ts'
import { type AdminInvoice, getInvoice, listAllInvoices, listInvoices } from '../../contract.ts'
import { adminInvoice, duplicateCode } from './read-invoices.ts'
import { setCredit } from './use-credit.ts'

export type Decision = {
  status: 'pending' | 'paid' | 'cancelled'
  paidAt?: string | null
  expectedAmount?: number
  version?: number
  acknowledgeDuplicate?: boolean
}
type Row = typeof invoices.$inferSelect
/** `selfApproval` false: nobody decides that their own invoice is paid. */
type Act = { admin: SessionUser; requestId: string; selfApproval: boolean }

/** What unique indexes allow once: an invoice that was closed meanwhile made room for another. */
const limitsBroken: Record<string, [code: string, message: string]> = {
  one_referral_discount: ['discount_used', 'Another invoice of this customer already carries the referral discount. Cancel that one first.'],
  one_open_change: ['change_open', 'Another plan change of this customer is open. Cancel that one first.'],
}

/**
 * An administrator confirms, moves back or cancels an invoice, with everything that follows from it, in one transaction.
 * Repeating a decision changes nothing. Throws 404, and 409 when the dialog was stale or the state does not allow it.
 */
export async function decideInvoice(db: Db, invoiceId: number, decision: Decision, act: Act): Promise<AdminInvoice> {
  const { validDays } = await settings.read(db, 'invoices')
  const { percent } = await settings.read(db, 'referrals')
  try {
    return await inTransaction(db, async (tx) => {
      if (decision.status === 'paid') await confirmPayment(tx, invoiceId, decision, percent, act)
      else await moveBack(tx, invoiceId, { ...decision, status: decision.status }, validDays, act)
      return adminInvoice(tx, invoiceId)
    })
  } catch (error) {
    const limit = limitsBroken[violationOf(error)?.constraint ?? '']
    if (limit) return conflict(...limit)
    throw error
  }
}

/** Invoice paid, subscription started, extended or changed, credit and referral bonus booked, audited, mailed: once. */
async function confirmPayment(tx: Tx, invoiceId: number, decision: Decision, percent: number, act: Act): Promise<void> {
  const paidAt = decision.paidAt ? new Date(decision.paidAt) : undefined
  const [paid] = await tx
    .update(invoices)
    .set({ status: 'paid', paidAt: paidAt ? paidAt.toISOString() : sql`now()`, version: sql`${invoices.version} + 1` })
    .where(
      and(
        eq(invoices.id, invoiceId),
        inArray(invoices.status, ['draft', 'pending', 'expired', 'cancelled']),
        decision.version === undefined ? undefined : eq(invoices.version, decision.version),
        decision.expectedAmount === undefined ? undefined : eq(invoices.amount, decision.expectedAmount),
        decision.acknowledgeDuplicate ? undefined : sql`NOT ${duplicateCode}`,
        act.selfApproval ? undefined : ne(invoices.userId, act.admin.id),
        paidAt
          ? sql`${paidAt.toISOString()}::timestamptz <= now() + interval '1 day' AND ${paidAt.toISOString()}::timestamptz > ${invoices.createdAt} - interval '31 days'`
          : undefined,
      ),
    )
    .returning()
  if (!paid) return explainRefusal(tx, invoiceId, decision, act)

  const claim = await lockPeople(tx, paid.userId)
  const applied = await subscriptions.activate(tx, {
    userId: paid.userId,
    invoiceId,
    kind: paid.kind,
    planId: paid.planId,
    months: paid.planMonths,
    connections: paid.planConnections,
    keepsPeriod: paid.keepsPeriod,
    paidAt: paid.paidAt!,
    actorId: act.admin.id,
  })
  await bookCredit(tx, paid, applied.activationId, act)
  if (claim && paid.kind === 'purchase') {
    await ledger.rewardReferrer(tx, {
      refereeId: paid.userId,
      invoiceId,
      activationId: applied.activationId,
      paidCents: paid.amount,
      percent,
      actorId: act.admin.id,
    })
  }
  await audit(tx, {
    actorId: act.admin.id,
    action: 'invoice.confirm',
    targetType: 'invoice',
    targetId: String(invoiceId),
    before: { subscription: applied.before },
    after: { status: 'paid', paidAt: paid.paidAt, amount: paid.amount, subscription: applied.after, ownInvoice: paid.userId === act.admin.id },
    requestId: act.requestId,
  })
  await mailCustomer(tx, paid, paid.kind === 'plan_change' ? 'plan_change_applied' : 'payment_confirmed', `payment_confirmed:${applied.activationId}`, {
    endDate: applied.after.endDate,
  })
  await tellPeople(tx, paid.userId, claim?.referrerId)
}

/** Moves an invoice to pending or cancelled; from paid this takes back exactly what the payment did. */
async function moveBack(tx: Tx, invoiceId: number, decision: Decision & { status: 'pending' | 'cancelled' }, validDays: number, act: Act): Promise<void> {
  const allowed = decision.status === 'pending' ? (['draft', 'paid', 'cancelled', 'expired'] as const) : (['draft', 'pending', 'paid', 'expired'] as const)
  const [before] = await tx.select().from(invoices).where(eq(invoices.id, invoiceId)).for('update')
  if (!before) return notFound('Invoice not found')
  const [moved] = await tx
    .update(invoices)
    .set({
      status: decision.status,
      paidAt: null,
      version: sql`${invoices.version} + 1`,
      ...(decision.status === 'pending' && { expiresAt: sql`greatest(${invoices.expiresAt}, now() + make_interval(days => ${validDays}))` }),
    })
    .where(
      and(eq(invoices.id, invoiceId), inArray(invoices.status, allowed), decision.version === undefined ? undefined : eq(invoices.version, decision.version)),
    )
    .returning()
  if (!moved) return explainRefusal(tx, invoiceId, decision, act)

  const claim = await lockPeople(tx, moved.userId)
  const undone = before.status === 'paid' ? await subscriptions.reverse(tx, { invoiceId, actorId: act.admin.id }) : undefined
  if (undone) {
    await ledger.reverseBookings(tx, undone.activationId, act.admin.id)
    await ledger.withdrawReward(tx, invoiceId)
  }
  if (moved.status === 'pending' && moved.submittedAt === null) await setCredit(tx, moved, await showsCredit(tx, moved.id))
  await audit(tx, {
    actorId: act.admin.id,
    action: `invoice.${decision.status === 'pending' ? 'reopen' : 'cancel'}`,
    targetType: 'invoice',
    targetId: String(invoiceId),
    before: { status: before.status, paidAt: before.paidAt, subscription: undone?.before },
    after: { status: moved.status, subscription: undone?.after },
    requestId: act.requestId,
  })
  if (undone || decision.status === 'cancelled')
    await mailCustomer(tx, moved, undone ? 'payment_reversed' : 'invoice_cancelled', `invoice_moved:${invoiceId}:${moved.version}`, {})
  await tellPeople(tx, moved.userId, claim?.referrerId)
}

const showsCredit = async (tx: Tx, invoiceId: number): Promise<boolean> =>
  (
    await tx
      .select({ id: invoiceLines.id })
      .from(invoiceLines)
      .where(and(eq(invoiceLines.invoiceId, invoiceId), eq(invoiceLines.kind, 'credit')))
  ).length > 0

/** Zero rows changed: already so (nothing to do), or why not. */
async function explainRefusal(tx: Tx, invoiceId: number, decision: Decision, act: Act): Promise<void> {
  const [row] = await tx
    .select({
      userId: invoices.userId,
      status: invoices.status,
      version: invoices.version,
      amount: invoices.amount,
      paidAt: invoices.paidAt,
      duplicate: duplicateCode,
    })
    .from(invoices)
    .innerJoin(users, eq(users.id, invoices.userId))
    .where(eq(invoices.id, invoiceId))
  if (!row) return notFound('Invoice not found')
  if (decision.version !== undefined && decision.version !== row.version)
    return conflict('stale', `Someone else was faster: this invoice is now ${row.status}. Nothing was changed.`)
  if (row.status === decision.status) {
    const otherDate = decision.status === 'paid' && decision.paidAt && new Date(decision.paidAt).toISOString().slice(0, 10) !== row.paidAt!.slice(0, 10)
    if (otherDate) return conflict('already_paid', 'This invoice is already paid. Move it back to pending first to change its payment date.')
    return
  }
  if (decision.expectedAmount !== undefined && decision.expectedAmount !== row.amount)
    return conflict('amount_changed', 'The amount of this invoice is not the one you were shown. Please reload.')
  if (decision.status === 'paid' && row.userId === act.admin.id && !act.selfApproval)
    return conflict('own_invoice', 'Another administrator has to confirm your own invoice.')
  if (row.duplicate && !decision.acknowledgeDuplicate)
    return conflict('duplicate_code', 'This confirmation code was also given for another invoice. Please check and acknowledge it.')
  if (decision.paidAt) return invalid('paidAt', 'The payment date must not lie in the future or long before the invoice')
  return conflict('not_possible', `An invoice that is ${row.status} cannot become ${decision.status}`)
}

/** Locks customer and referrer in ascending order, so that two confirmations can never wait for each other in a circle. */
async function lockPeople(tx: Tx, userId: number): Promise<{ referrerId: number } | undefined> {
  const [claim] = await tx.select({ referrerId: referralClaims.referrerId }).from(referralClaims).where(eq(referralClaims.refereeId, userId))
  await ledger.lockUsers(tx, claim ? [userId, claim.referrerId] : [userId])
  return claim
}

/** Credit shown as a line is spent now; what a cheaper plan gives back is credited now. */
async function bookCredit(tx: Tx, invoice: Row, activationId: number, { admin }: Act): Promise<void> {
  const spent = await tx
    .select({ amount: invoiceLines.amount })
    .from(invoiceLines)
    .where(and(eq(invoiceLines.invoiceId, invoice.id), eq(invoiceLines.kind, 'credit')))
  const cents = spent.reduce((sum, row) => sum + row.amount, 0)
  const booking = { userId: invoice.userId, relatedInvoiceId: invoice.id, activationId, createdBy: admin.id }
  if (cents !== 0) await ledger.book(tx, { ...booking, amount: cents, type: 'payment', description: `Credit used for invoice ${invoice.invoiceNumber}` })
  if (invoice.creditOnApproval > 0)
    await ledger.book(tx, {
      ...booking,
      amount: invoice.creditOnApproval,
      type: 'refund',
      description: `Unused part of your plan, invoice ${invoice.invoiceNumber}`,
    })
}

async function mailCustomer(tx: Tx, invoice: Row, template: string, dedupeKey: string, data: Record<string, unknown>): Promise<void> {
  const [customer] = await tx.select({ email: users.email }).from(users).where(eq(users.id, invoice.userId))
  await enqueueMail(tx, {
    dedupeKey,
    userId: invoice.userId,
    recipient: customer!.email,
    template,
    data: { ...data, invoiceNumber: invoice.invoiceNumber, planName: invoice.planName, amount: invoice.amount },
  })
}

async function tellPeople(tx: Tx, userId: number, referrerId: number | undefined): Promise<void> {
  await notifyUser(tx, userId, [currentUser.id, listInvoices.id, getInvoice.id, getAccountCredit.id])
  if (referrerId) await notifyUser(tx, referrerId, [getAccountCredit.id, currentUser.id])
  await notifyAdmins(tx, [listAllInvoices.id])
}
