import { and, desc, eq, sql } from 'drizzle-orm'
import type { Report } from '#features/reports/contract.ts'
import { createReport } from '#features/reports/server/service/create-report.ts'
import { ownView } from '#features/reports/server/service/read-reports.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { reportEvidence, reports, selfChecks } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Evidence } from '../admin-contract.ts'
import type { BrowserFacts, ServerFacts } from '../contract.ts'
import { summaryOf } from '../evidence-rules.ts'
import { determineVerdict, issueOf } from '../rules.ts'
import { countReported } from './record-verdict.ts'

/**
 * Sends a report with the results of a check. The verdict is determined here, from the stored facts; only the measurements of the browser come from the caller.
 * If the customer reported the same channel within the last hour and the report is still open, the evidence is added to that report instead. Idempotent. Throws
 * 404 for a check of another customer, and 409 for a check without a channel.
 */
export async function reportCheck(
  db: Db,
  userId: number,
  checkId: string,
  browser: BrowserFacts,
): Promise<{ report: Report; joined: boolean }> {
  return inTransaction(db, async (tx) => {
    const [check] = await tx
      .select()
      .from(selfChecks)
      .where(and(eq(selfChecks.id, checkId), eq(selfChecks.userId, userId)))
      .for('update')
    const server = check?.facts as ServerFacts | null | undefined
    if (!check || !server) return notFound('Check not found. Please check again.')
    if (server.channelName === null) return conflict('no_channel', 'Please choose the channel and check again.')
    const sent = await reportWithEvidence(tx, eq(reportEvidence.checkId, checkId))
    if (sent) return { report: sent, joined: false }
    const verdict = determineVerdict(server, browser)
    const recent = await recentReport(tx, userId, server.channelName)
    const report =
      recent ??
      (await createReport(tx as never, userId, {
        contentType: 'channel',
        contentName: server.channelName,
        issue: issueOf(verdict),
        description: summaryOf(verdict, server, browser),
      }))
    const evidence: Evidence = { device: check.device, checkedAt: check.createdAt, verdict, server, browser }
    await tx
      .insert(reportEvidence)
      .values({ reportId: report.id, checkId, evidence })
      .onConflictDoUpdate({ target: reportEvidence.reportId, set: { checkId, evidence, createdAt: sql`now()` } })
    await countReported(tx, check, verdict.cause)
    await changed(tx, 'report', { user: userId })
    return { report, joined: recent !== undefined }
  })
}

async function reportWithEvidence(tx: Tx, where: ReturnType<typeof eq>): Promise<Report | undefined> {
  const [report] = await tx
    .select(ownView)
    .from(reports)
    .innerJoin(reportEvidence, eq(reportEvidence.reportId, reports.id))
    .where(where)
  return report
}

async function recentReport(tx: Tx, userId: number, channelName: string): Promise<Report | undefined> {
  const [report] = await tx
    .select(ownView)
    .from(reports)
    .where(
      sql`${reports.userId} = ${userId} and ${reports.contentType} = 'channel' and ${reports.status} in ('pending', 'reviewing')
        and lower(${reports.contentName}) = lower(${channelName}) and ${reports.createdAt} > now() - interval '1 hour'`,
    )
    .orderBy(desc(reports.id))
    .limit(1)
  return report
}

/** The evidence of a report; null if it was sent without a check. Throws 404 for an unknown report. */
export async function readEvidence(db: Db, reportId: number): Promise<Evidence | null> {
  const [row] = await db
    .select({ evidence: reportEvidence.evidence })
    .from(reports)
    .leftJoin(reportEvidence, eq(reportEvidence.reportId, reports.id))
    .where(eq(reports.id, reportId))
  if (!row) return notFound('Report not found')
  return row.evidence as Evidence | null
}
