import { and, asc, desc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { auditLog, invoiceLines, invoices, referralClaims, users } from '#server/db/tables.ts'
import type { Approver } from '#server/session/actor.ts'
import type { AdminInvoice, InvoiceEvidence } from '../../../admin-contract.ts'
import { canMove } from '../../../rules.ts'
import { adminInvoice, effectiveStatus } from '../read-invoices.ts'
import { readBillingTerms } from './decide-invoice.ts'
import type {} from './decision.ts'
import { invoicesWithCodeOf } from './payment-codes.ts'
import { previewDecision } from './preview-decision.ts'

const maxListed = 10

/** Returns the facts for deciding about an invoice, and the effect of each possible decision. Throws 404. */
export async function invoiceEvidence(
  db: Db,
  invoiceId: number,
  actor: Approver,
  paidAt?: string,
): Promise<InvoiceEvidence> {
  const invoice = await adminInvoice(db, invoiceId)
  const { userId } = invoice
  const lines = await db
    .select()
    .from(invoiceLines)
    .where(eq(invoiceLines.invoiceId, invoiceId))
    .orderBy(asc(invoiceLines.position))
  const otherOfCustomer = and(eq(invoices.userId, userId), ne(invoices.id, invoiceId))
  const paidEarlier = and(otherOfCustomer, eq(invoices.status, 'paid'))
  const [sum] = await db
    .select({ count: sql<number>`count(*)::int`, total: sql<number>`coalesce(sum(${invoices.amount}), 0)::int` })
    .from(invoices)
    .where(paidEarlier)
  const [claim] = await db
    .select({ referrerId: referralClaims.referrerId })
    .from(referralClaims)
    .where(and(eq(referralClaims.refereeId, userId), isNull(referralClaims.rewardedInvoiceId)))
  const others = await invoicesWithCodeOf(db, invoiceId)
  const named = (ids: number[]) =>
    summaries(db).where(inArray(invoices.id, ids)).orderBy(desc(invoices.createdAt), desc(invoices.id))
  return {
    invoice,
    lines,
    sameCode: await named(others.same),
    similarCode: await named(others.similar),
    payments: {
      ...sum!,
      latest: await summaries(db)
        .where(paidEarlier)
        .orderBy(desc(invoices.createdAt), desc(invoices.id))
        .limit(maxListed),
    },
    open: await summaries(db)
      .where(and(otherOfCustomer, inArray(effectiveStatus, ['draft', 'pending'])))
      .orderBy(desc(invoices.createdAt), desc(invoices.id))
      .limit(maxListed),
    ownInvoice: userId === actor.admin.id,
    ownReferral: invoice.kind === 'purchase' && claim?.referrerId === actor.admin.id,
    history: await historyOf(db, invoiceId),
    outcomes: await outcomesOf(db, invoice, actor, paidAt),
  }
}

/** Previews each possible decision. Runs sequentially because every preview locks the same rows. */
async function outcomesOf(
  db: Db,
  { id, status }: AdminInvoice,
  actor: Approver,
  paidAt?: string,
): Promise<InvoiceEvidence['outcomes']> {
  const terms = await readBillingTerms(db)
  const outcomes: InvoiceEvidence['outcomes'] = []
  for (const target of ['paid', 'pending', 'cancelled'] as const)
    if (canMove(status, target))
      outcomes.push(
        await previewDecision(
          db,
          id,
          { status: target, acknowledgeDuplicate: true, ...(target === 'paid' && paidAt && { paidAt }) },
          terms,
          actor,
        ),
      )
  return outcomes
}

const summaries = (db: Db) =>
  db
    .select({
      id: invoices.id,
      invoiceNumber: invoices.invoiceNumber,
      username: users.username,
      planName: invoices.planName,
      amount: invoices.amount,
      status: effectiveStatus,
      createdAt: invoices.createdAt,
      paidAt: invoices.paidAt,
    })
    .from(invoices)
    .innerJoin(users, eq(users.id, invoices.userId))
    .$dynamic()

async function historyOf(db: Db, invoiceId: number): Promise<InvoiceEvidence['history']> {
  const rows = await db
    .select({ at: auditLog.at, by: users.username, action: auditLog.action, after: auditLog.after })
    .from(auditLog)
    .leftJoin(users, eq(users.id, auditLog.actorId))
    .where(
      and(
        eq(auditLog.targetType, 'invoice'),
        eq(auditLog.targetId, String(invoiceId)),
        ne(auditLog.action, 'invoice.read'),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(maxListed)
  return rows.map(({ after, ...row }) => ({
    ...row,
    reason: typeof after?.reason === 'string' ? after.reason : null,
    version: typeof after?.version === 'number' ? after.version : null,
  }))
}
