import { asc, inArray } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { getCustomer } from '#features/customers/contract.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { reports } from '#server/db/tables.ts'
import { notifyAdmins } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import { listAllReports, type ReportsChange, type reportsDecision } from '../../admin-contract.ts'
import { statusNames } from '../../rules.ts'
import { decide } from './update-report.ts'

/**
 * Sets one status on several reports, in one transaction; notes stay as they are. Those that somebody else changed meanwhile,
 * that already have the status or that do not exist are left alone, each with the reason.
 */
export async function updateReports(
  db: Db,
  { status, reports: chosen }: z.output<typeof reportsDecision>,
  actor: Actor,
): Promise<ReportsChange> {
  const versions = new Map(chosen.map(({ id, version }) => [id, version]))
  return inTransaction(db, async (tx) => {
    // Locked in ascending order, so that two of these can never wait for each other in a circle.
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
      if (!row) change.unchanged.push({ id, reason: 'It does not exist' })
      else if (row.status === status) change.unchanged.push({ id, reason: `It already is ${statusNames[status]}` })
      else if (row.version !== version)
        change.unchanged.push({ id, reason: `It was changed meanwhile and is now ${statusNames[row.status]}` })
      else if (await decide(tx, row, { status }, actor)) change.changed.push(id)
    }
    if (change.changed.length > 0) await notifyAdmins(tx, [listAllReports.id, getCustomer.id])
    return change
  })
}
