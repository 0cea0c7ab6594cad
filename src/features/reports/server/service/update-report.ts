import { eq, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { audit, refuseAsStale } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { reports, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import type { Actor } from '#server/session/actor.ts'
import type { AdminReport, reportDecision } from '../../admin-contract.ts'
import { statusNames } from '../../rules.ts'
import { adminReport } from './read-reports.ts'

type Row = typeof reports.$inferSelect
type Decision = z.output<typeof reportDecision>
/** The administrator who decides. `requestId` is null for a job that completes an action of that administrator. */
export type DecidingActor = { admin: Pick<Actor['admin'], 'id'>; requestId: string | null }

/**
 * Sets the status and the notes of a report; any status may follow any other. Open pages of the author are refreshed, and the author is emailed when
 * the report is resolved or dismissed. Idempotent. Throws 404, and 409 when `version` is stale. Specification 4, Report status.
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
    await applyDecision(tx, before, decision, actor)
    return adminReport(tx, id)
  })
}

/**
 * Applies a decision to a locked report: updates the row, adds an audit entry, refreshes open pages of the author, and emails the author unless
 * `isEmailed` is false. Returns false if nothing changed.
 */
export async function applyDecision(
  tx: Tx,
  before: Row,
  { status, adminNotes }: Decision,
  actor: DecidingActor,
  { isEmailed = true } = {},
): Promise<boolean> {
  const notes = adminNotes === undefined ? before.adminNotes : adminNotes || null
  const statusChanged = before.status !== status
  if (!statusChanged && notes === before.adminNotes) return false
  const [after] = await tx
    .update(reports)
    .set({
      status,
      adminNotes: notes,
      version: sql`${reports.version} + 1`,
      ...(statusChanged && { resolvedAt: status === 'resolved' ? sql`now()` : null }),
    })
    .where(eq(reports.id, before.id))
    .returning()
  const auditFields = (row: Row) => ({ status: row.status, adminNotes: row.adminNotes })
  await audit(tx, {
    actorId: actor.admin.id,
    action: 'report.update',
    targetType: 'report',
    targetId: before.id,
    before: auditFields(before),
    after: auditFields(after!),
    requestId: actor.requestId,
  })
  if (isEmailed && statusChanged && (status === 'resolved' || status === 'dismissed')) await emailAuthor(tx, after!)
  await changed(tx, 'report', { user: before.userId })
  return true
}

async function emailAuthor(tx: Tx, { id, userId, version, status, contentName, adminNotes }: Row): Promise<void> {
  const [author] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  await enqueueMail(tx, {
    dedupeKey: `report_resolved:${id}:${version}`,
    userId,
    recipient: author!.email,
    template: 'report_resolved',
    data: { contentName, status, adminNotes },
  })
}
