import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { incidents, reportCases, reportSpellings, reports } from '#server/db/tables.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import type { ReportCaseDetails } from '../../../admin-case-contract.ts'
import { contentKey } from '../../../case-rules.ts'
import { lockCase } from './decide-case.ts'
import { openCase } from './group-reports.ts'
import { readCase } from './read-cases.ts'

type Report = typeof reports.$inferSelect
const spellingOf = ({ contentType, contentName }: Report) => contentKey(contentType, contentName)

/**
 * Moves the waiting reports of the case `id` to the open case `into`, and stores their spellings, so that further reports with these spellings are
 * added to `into`. Also moves the open incident of `id`, unless `into` already has one. Throws 404, 400 if both ids are the same, and 409 when the
 * case `into` is solved.
 */
export async function mergeCases(db: Db, id: number, into: number, actor: Actor): Promise<ReportCaseDetails> {
  if (id === into) invalid('into', 'Please choose another case')
  return inTransaction(db, async (tx) => {
    // Locks the cases in ascending order, so that two merges cannot deadlock.
    const locked = new Map<number, Report[]>()
    for (const each of [id, into].sort((a, b) => a - b)) locked.set(each, await lockCase(tx, each))
    const [target] = await tx.select().from(reportCases).where(eq(reportCases.id, into))
    if (target!.solvedAt !== null) conflict('solved', 'The other case is solved. Nothing was changed.')
    const moved = locked.get(id)!
    await moveReports(tx, moved, into)
    await rememberSpellings(tx, moved, target!.caseKey)
    await moveIncident(tx, id, into)
    const [left] = await tx.select().from(reportCases).where(eq(reportCases.id, id))
    await record(
      tx,
      'report_case.merge',
      into,
      { title: left!.title },
      { title: target!.title, reports: moved.length },
      actor,
    )
    return readCase(tx, into)
  })
}

/**
 * Moves a waiting report, and all waiting reports of its case with the same spelling, to a separate case. Further reports with this spelling are
 * added to the new case. Throws 404, and 409 for a report that was already decided or is the only waiting report of its case.
 */
export async function splitReport(db: Db, reportId: number, actor: Actor): Promise<ReportCaseDetails> {
  return inTransaction(db, async (tx) => {
    const [found] = await tx.select().from(reports).where(eq(reports.id, reportId))
    if (!found) return notFound('Report not found')
    if (found.caseId === null || (found.status !== 'pending' && found.status !== 'reviewing'))
      return conflict('decided', 'This report is already decided. Nothing was changed.')
    const waiting = await lockCase(tx, found.caseId)
    const spelling = spellingOf(found)
    const moved = waiting.filter((report) => spellingOf(report) === spelling)
    // If all waiting reports have this spelling, only this report is moved, and the spelling is not stored.
    const isWhole = moved.length === waiting.length
    if (isWhole && waiting.length < 2) conflict('alone', 'This is the only report in its case. Nothing was changed.')
    const leaving = isWhole ? [found] : moved
    const caseKey = isWhole ? `report ${found.id}` : `split ${spelling}`
    const into = await openCase(tx, caseKey, found.contentName)
    await moveReports(tx, leaving, into)
    if (!isWhole) await rememberSpellings(tx, leaving, caseKey)
    const [from] = await tx.select().from(reportCases).where(eq(reportCases.id, found.caseId))
    await record(
      tx,
      'report_case.split',
      into,
      { title: from!.title },
      { title: found.contentName, reports: leaving.length },
      actor,
    )
    return readCase(tx, into)
  })
}

async function moveReports(tx: Tx, moved: readonly Report[], into: number): Promise<void> {
  if (moved.length === 0) return
  await tx
    .update(reports)
    .set({ caseId: into })
    .where(
      inArray(
        reports.id,
        moved.map(({ id }) => id),
      ),
    )
  // A case that has no waiting reports left is solved.
  await tx
    .update(reportCases)
    .set({ solvedAt: sql`now()`, version: sql`${reportCases.version} + 1` })
    .where(
      and(
        eq(reportCases.id, moved[0]!.caseId!),
        isNull(reportCases.solvedAt),
        sql`not exists (select from reports r where r.case_id = ${moved[0]!.caseId!} and r.status in ('pending', 'reviewing'))`,
      ),
    )
}

/** Moves the open incident of a case with its reports, because the reporters are emailed when the incident ends. A case has at most one open incident. */
const moveIncident = (tx: Tx, from: number, into: number) =>
  tx
    .update(incidents)
    .set({ caseId: into, version: sql`${incidents.version} + 1` })
    .where(
      and(
        eq(incidents.caseId, from),
        isNull(incidents.endedAt),
        isNull(incidents.withdrawnAt),
        sql`not exists (select from incidents other where other.case_id = ${into} and other.ended_at is null and other.withdrawn_at is null)`,
      ),
    )

async function rememberSpellings(tx: Tx, moved: readonly Report[], caseKey: string): Promise<void> {
  const spellings = [...new Set(moved.map(spellingOf))].filter((spelling) => spelling !== caseKey)
  if (spellings.length > 0)
    await tx
      .insert(reportSpellings)
      .values(spellings.map((spelling) => ({ spelling, caseKey })))
      .onConflictDoUpdate({ target: reportSpellings.spelling, set: { caseKey, setAt: sql`now()` } })
  await tx.delete(reportSpellings).where(eq(reportSpellings.spelling, caseKey))
}

async function record(
  tx: Tx,
  action: 'report_case.merge' | 'report_case.split',
  targetId: number,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  { admin, requestId }: Actor,
): Promise<void> {
  await audit(tx, { actorId: admin.id, action, targetType: 'report_case', targetId, before, after, requestId })
  await changed(tx, 'report')
  await changed(tx, 'incident')
}
