import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { channels, reportCases, reportSpellings, reports } from '#server/db/tables.ts'
import { changed } from '#server/live/notify.ts'
import { closestKey, contentKey, spellingKey } from '../../../case-rules.ts'

type Report = Pick<typeof reports.$inferSelect, 'id' | 'contentType' | 'contentName'>
type Channel = { id: number; name: string }

const batch = 200
const isOpen = sql`${reports.status} in ('pending', 'reviewing')`

/**
 * Adds open reports to cases if they have none, or if their case was solved while they were added. Also solves cases that have no open reports left,
 * because the last one was deleted, or because the last two were decided at the same time. Returns how many reports were added to cases.
 */
export async function groupReports(db: Db): Promise<number> {
  const solved = await db.execute(sql`update report_cases c set solved_at = now(), version = version + 1
    where c.solved_at is null and not exists (select from reports r where r.case_id = c.id and r.status in ('pending', 'reviewing'))`)
  if (solved.rowCount) await changed(db, 'report')
  await db.execute(sql`update reports r set case_id = null from report_cases c
    where r.status in ('pending', 'reviewing') and c.id = r.case_id and c.solved_at is not null`)
  let grouped = 0
  for (;;) {
    const count = await inTransaction(db, async (tx) => {
      const ungrouped = await tx
        .select({ id: reports.id, contentType: reports.contentType, contentName: reports.contentName })
        .from(reports)
        .where(and(isNull(reports.caseId), isOpen))
        .orderBy(asc(reports.id))
        .limit(batch)
        .for('update', { skipLocked: true })
      if (ungrouped.length === 0) return 0
      const known = await knownChannels(tx)
      for (const report of ungrouped) await assignCase(tx, report, known)
      await changed(tx, 'report')
      return ungrouped.length
    })
    grouped += count
    if (count < batch) return grouped
  }
}

/** Adds a new report to the open case for its content, and creates that case if there is none. */
export async function groupReport(tx: Tx, report: Report): Promise<void> {
  await assignCase(tx, report, report.contentType === 'channel' ? await knownChannels(tx) : new Map())
}

async function assignCase(tx: Tx, report: Report, known: ReadonlyMap<string, Channel>): Promise<void> {
  const spelling = contentKey(report.contentType, report.contentName)
  const [moved] = await tx.select().from(reportSpellings).where(eq(reportSpellings.spelling, spelling))
  const channelKey =
    report.contentType === 'channel' && !known.has(spelling) ? closestKey(spelling, known.keys()) : spelling
  const caseKey = moved?.caseKey ?? channelKey ?? spelling
  const channel = known.get(caseKey)
  await tx
    .update(reports)
    .set({ caseId: await openCase(tx, caseKey, report.contentName, channel) })
    .where(eq(reports.id, report.id))
}

/** Returns the id of the open case with this key, and creates the case if there is none. Locks the case. */
export async function openCase(tx: Tx, caseKey: string, title: string, channel?: Channel): Promise<number> {
  for (;;) {
    await tx
      .insert(reportCases)
      .values({ caseKey, title: channel?.name ?? title.trim(), channelId: channel?.id ?? null })
      .onConflictDoNothing()
    // Locks the case, so that it is not solved while a report is added. If it was solved while waiting for the lock, the loop creates another case.
    const [open] = await tx
      .select({ id: reportCases.id })
      .from(reportCases)
      .where(and(eq(reportCases.caseKey, caseKey), isNull(reportCases.solvedAt)))
      .for('update')
    if (open) return open.id
  }
}

const cacheMs = 60_000
let cachedChannels = { at: Number.NEGATIVE_INFINITY, names: '', byKey: new Map<string, Channel>() }
/** Returns the channels of the catalog by their keys. The keys are computed again when a name changes, or after a minute. */
async function knownChannels(tx: Tx): Promise<ReadonlyMap<string, Channel>> {
  const { rows } = await tx.execute<{ names: string }>(
    sql`select count(*) || ' ' || coalesce(md5(string_agg(id || name, E'\n' order by id)), '') as names from channels`,
  )
  const { names } = rows[0]!
  if (names !== cachedChannels.names || performance.now() - cachedChannels.at > cacheMs) {
    const all = await tx.select({ id: channels.id, name: channels.name }).from(channels).orderBy(asc(channels.id))
    const byKey = new Map(all.toReversed().map((channel) => [spellingKey(channel.name), channel]))
    cachedChannels = { at: performance.now(), names, byKey }
  }
  return cachedChannels.byKey
}
