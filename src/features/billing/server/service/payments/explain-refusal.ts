import { and, desc, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { auditLog, invoices, users } from '#server/db/tables.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import type { Decider } from '#server/session/actor.ts'
import type { Decision } from './decision.ts'
import { duplicateCode, similarCode } from './payment-codes.ts'

/** Called when a decision updated no row. Returns if the invoice already has that status, otherwise throws the reason: 400, 404 or 409. */
export async function explainRefusal(tx: Tx, invoiceId: number, decision: Decision, actor: Decider): Promise<void> {
  const [row] = await tx
    .select({
      userId: invoices.userId,
      status: invoices.status,
      version: invoices.version,
      amount: invoices.amount,
      paidAt: invoices.paidAt,
      duplicate: duplicateCode,
      similar: similarCode,
    })
    .from(invoices)
    .innerJoin(users, eq(users.id, invoices.userId))
    .where(eq(invoices.id, invoiceId))
  if (!row) return notFound('Invoice not found')
  if (decision.version !== undefined && decision.version !== row.version) return refuseAsStale(tx, invoiceId, row)
  if (row.status === decision.status) {
    const otherDate =
      decision.status === 'paid' &&
      decision.paidAt &&
      new Date(decision.paidAt).toISOString().slice(0, 10) !== row.paidAt!.slice(0, 10)
    if (otherDate)
      return conflict(
        'already_paid',
        'This invoice is already paid. Move it back to pending first to change its payment date.',
      )
    return
  }
  if (decision.expectedAmount !== undefined && decision.expectedAmount !== row.amount)
    return conflict('amount_changed', 'The amount of this invoice has changed since you opened it. Please reload.')
  if (decision.status === 'paid' && row.userId === actor.admin?.id && !actor.selfApproval)
    return conflict('own_invoice', 'Another administrator has to confirm your own invoice.')
  if (decision.status === 'paid' && !decision.acknowledgeDuplicate) {
    if (row.duplicate)
      return conflict(
        'duplicate_code',
        'This confirmation code was also given for another invoice. Please check and acknowledge it.',
      )
    if (row.similar)
      return conflict(
        'similar_code',
        `This confirmation code differs by one character from the code of ${row.similar}. Please check and acknowledge it.`,
      )
  }
  if (decision.paidAt)
    return invalid('paidAt', 'The payment date must not be in the future or more than 31 days before the invoice')
  return conflict('not_possible', `An invoice that is ${row.status} cannot become ${decision.status}`)
}

const minute = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
})

/** Throws 409 `stale` with the current status of the invoice and, if an administrator changed it, the name and the time of the change. */
export async function refuseAsStale(
  tx: Tx,
  invoiceId: number,
  { status, version }: { status: string; version: number },
): Promise<never> {
  const [last] = await tx
    .select({ at: auditLog.at, by: users.username })
    .from(auditLog)
    .innerJoin(users, eq(users.id, auditLog.actorId))
    .where(
      and(
        eq(auditLog.targetType, 'invoice'),
        eq(auditLog.targetId, String(invoiceId)),
        sql`${auditLog.after} ->> 'version' = ${String(version)}`,
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(1)
  return conflict(
    'stale',
    last
      ? `${last.by} changed it first (${minute.format(new Date(last.at))}): this invoice is now ${status}. Nothing was changed.`
      : `This invoice has changed since you opened it: it is now ${status}. Nothing was changed.`,
  )
}
