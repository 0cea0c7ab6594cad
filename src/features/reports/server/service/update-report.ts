import { eq, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { getCustomer } from '#features/customers/contract.ts'
import { audit, refuseAsStale } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { reports, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { notifyAdmins, notifyUser } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import type { Actor } from '#server/session/actor.ts'
import { type AdminReport, listAllReports, type reportDecision } from '../../admin-contract.ts'
import { listReports } from '../../contract.ts'
import { statusNames } from '../../rules.ts'
import { adminReport } from './read-reports.ts'

type Row = typeof reports.$inferSelect
type Decision = z.output<typeof reportDecision>

/**
 * An administrator sets status and notes, any status to any other; the author is told by page, and by mail when it is resolved
 * or dismissed. Repeating it changes nothing. Throws 404, and 409 when the dialog was stale. Specification 4, Report status.
 */
export async function updateReport(db: Db, id: number, decision: Decision, actor: Actor): Promise<AdminReport> {
  return inTransaction(db, async (tx) => {
    const [before] = await tx.select().from(reports).where(eq(reports.id, id)).for('update')
    if (!before) return notFound('Report not found')
    if (decision.version !== undefined && decision.version !== before.version)
      return refuseAsStale(tx, {
        targetType: 'report',
        targetId: id,
        admin: actor.admin,
        what: 'report',
        now: statusNames[before.status],
      })
    if (await decide(tx, before, decision, actor)) await notifyAdmins(tx, [listAllReports.id, getCustomer.id])
    return adminReport(tx, id)
  })
}

/** Writes a decision about a report that is locked: row, audit, mail, word to its author. False when it said what already was so. */
export async function decide(tx: Tx, before: Row, { status, adminNotes }: Decision, actor: Actor): Promise<boolean> {
  const notes = adminNotes === undefined ? before.adminNotes : adminNotes || null
  const isMoved = before.status !== status
  if (!isMoved && notes === before.adminNotes) return false
  const [after] = await tx
    .update(reports)
    .set({
      status,
      adminNotes: notes,
      version: sql`${reports.version} + 1`,
      ...(isMoved && { resolvedAt: status === 'resolved' ? sql`now()` : null }),
    })
    .where(eq(reports.id, before.id))
    .returning()
  const said = (row: Row) => ({ status: row.status, adminNotes: row.adminNotes })
  await audit(tx, {
    actorId: actor.admin.id,
    action: 'report.update',
    targetType: 'report',
    targetId: before.id,
    before: said(before),
    after: said(after!),
    requestId: actor.requestId,
  })
  if (isMoved && (status === 'resolved' || status === 'dismissed')) await mailAuthor(tx, after!)
  await notifyUser(tx, before.userId, [listReports.id])
  return true
}

async function mailAuthor(tx: Tx, { id, userId, version, status, contentName, adminNotes }: Row): Promise<void> {
  const [author] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  await enqueueMail(tx, {
    dedupeKey: `report_resolved:${id}:${version}`,
    userId,
    recipient: author!.email,
    template: 'report_resolved',
    data: { contentName, status, adminNotes },
  })
}
