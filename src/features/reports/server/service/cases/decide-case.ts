import { and, asc, eq, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { reportCases, reports, users } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import type { Actor } from '#server/session/actor.ts'
import type { caseDecision, ReportCaseDetails } from '../../../admin-case-contract.ts'
import { applyDecision, type DecidingActor } from '../update-report.ts'
import { readCase } from './read-cases.ts'

type Decision = z.output<typeof caseDecision> & { version?: number | undefined }
type Report = typeof reports.$inferSelect
/**
 * The maximum number of reports decided in one transaction, so that it does not lock thousands of rows. The administrator must repeat the decision
 * for the remaining reports.
 */
const maxDecided = 1_000

/**
 * Sets the status of the waiting reports of a case, at most `maxDecided` of them. When they are resolved or dismissed, each reporter gets one email,
 * even for several reports. Throws 404, and 409 when `version` is stale.
 */
export async function decideCase(
  db: Db,
  id: number,
  { version, status, adminNotes }: Decision,
  actor: Actor,
): Promise<ReportCaseDetails> {
  return inTransaction(db, async (tx) => {
    const waiting = await lockCase(tx, id, version)
    await decideReports(tx, id, waiting, { status, adminNotes }, actor)
    return readCase(tx, id)
  })
}

/**
 * Resolves the waiting reports of a case in the caller's transaction, at most 1,000 of them, and sends one email to each reporter. Returns the number
 * of reports that are still waiting. Throws 404.
 */
export async function closeCase(tx: Tx, id: number, adminNotes: string, actor: DecidingActor): Promise<number> {
  const waiting = await lockCase(tx, id)
  await decideReports(tx, id, waiting, { status: 'resolved', adminNotes }, actor)
  return (await readCase(tx, id)).open
}

async function decideReports(
  tx: Tx,
  id: number,
  waiting: readonly Report[],
  { status, adminNotes }: Decision,
  actor: DecidingActor,
): Promise<void> {
  // An empty note does not change the notes of the reports.
  const decision = { status, ...(adminNotes && { adminNotes }) }
  const decided: Report[] = []
  for (const report of waiting)
    if (await applyDecision(tx, report, decision, actor, { isEmailed: false })) decided.push(report)
  if (status !== 'reviewing') await emailReporters(tx, id, decided, { status, adminNotes: adminNotes || null })
}

/**
 * Locks the waiting reports of a case, then the case, in the same order as the database trigger of reports, and returns the reports. Throws 404, and
 * 409 when `version` is stale.
 */
export async function lockCase(tx: Tx, id: number, version?: number): Promise<Report[]> {
  const waiting = await tx
    .select()
    .from(reports)
    .where(and(eq(reports.caseId, id), sql`${reports.status} in ('pending', 'reviewing')`))
    .orderBy(asc(reports.id))
    .limit(maxDecided)
    .for('update')
  const [found] = await tx.select().from(reportCases).where(eq(reportCases.id, id)).for('update')
  if (!found) return notFound('Case not found')
  if (version !== undefined && version !== found.version)
    conflict('stale', 'This case has changed since you opened it. Nothing was changed.')
  return waiting
}

async function emailReporters(
  tx: Tx,
  id: number,
  decided: readonly Report[],
  { status, adminNotes }: { status: 'resolved' | 'dismissed'; adminNotes: string | null },
): Promise<void> {
  const first = new Map(decided.toReversed().map((report) => [report.userId, report]))
  if (first.size === 0) return
  const authors = await tx
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(sql`${users.id} = any(${sql.param([...first.keys()])}::int[])`)
  for (const author of authors) {
    const report = first.get(author.id)!
    await enqueueMail(tx, {
      dedupeKey: `report_case:${id}:${report.id}:${report.version}`,
      userId: author.id,
      recipient: author.email,
      template: 'report_resolved',
      data: { contentName: report.contentName, status, adminNotes: adminNotes ?? report.adminNotes },
    })
  }
}
