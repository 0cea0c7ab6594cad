import { asc, inArray } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { reports } from '#server/db/tables.ts'
import type { Actor } from '#server/session/actor.ts'
import type { ReportsChange, reportsDecision } from '../../admin-contract.ts'
import { statusNames } from '../../rules.ts'
import { applyDecision } from './update-report.ts'

/**
 * Sets one status on several reports in one transaction; notes are not changed. A report that already has this status, has a stale version or does
 * not exist is skipped, and the reason is returned.
 */
export async function updateReports(
  db: Db,
  { status, reports: chosen }: z.output<typeof reportsDecision>,
  actor: Actor,
): Promise<ReportsChange> {
  const versions = new Map(chosen.map(({ id, version }) => [id, version]))
  return inTransaction(db, async (tx) => {
    // Locked in ascending order to prevent deadlocks.
    const rows = await tx
      .select()
      .from(reports)
      .where(inArray(reports.id, [...versions.keys()]))
      .orderBy(asc(reports.id))
      .for('update')
    const found = new Map(rows.map((row) => [row.id, row]))
    const change: ReportsChange = { changed: [], unchanged: [] }
    for (const [id, version] of versions) {
      const row = found.get(id)
      if (!row) change.unchanged.push({ id, reason: 'The report does not exist' })
      else if (row.status === status) change.unchanged.push({ id, reason: `It is already ${statusNames[status]}` })
      else if (row.version !== version)
        change.unchanged.push({ id, reason: `Someone else changed the report; it is now ${statusNames[row.status]}` })
      else if (await applyDecision(tx, row, { status }, actor)) change.changed.push(id)
    }
    return change
  })
}
