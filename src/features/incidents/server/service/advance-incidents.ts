import { asc, eq, isNotNull, sql } from 'drizzle-orm'
import { closeCase } from '#features/reports/server/service/cases/decide-case.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { incidents } from '#server/db/tables.ts'
import { notifyCatalog } from '#server/live/notify.ts'
import { notifyIncidentChange } from './open-incident.ts'

/** Begins and ends planned maintenance at the planned times, and resolves the remaining reports of ended incidents. Returns the number of changes. */
export async function advanceIncidents(db: Db): Promise<number> {
  const moved = await inTransaction(db, async (tx) => {
    const begun = await tx.execute(sql`update incidents set begun = true, version = version + 1
      where not begun and starts_at <= now() and ended_at is null and withdrawn_at is null`)
    const ended = await tx.execute(sql`update incidents set ended_at = planned_until, version = version + 1
      where planned_until <= now() and ended_at is null and withdrawn_at is null`)
    const count = (begun.rowCount ?? 0) + (ended.rowCount ?? 0)
    if (count > 0) await notifyIncidentChange(tx)
    return count
  })
  let resolved = 0
  while (await resolveMore(db)) resolved++
  return moved + resolved
}

/** Refreshes the status page in all processes, because a new day has begun. */
export const renewStatusPage = (db: Db): Promise<void> => notifyCatalog(db)

/** Resolves further reports of an ended incident on behalf of the administrator who ended it. Returns whether reports remain. */
async function resolveMore(db: Db): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const [found] = await tx
      .select({ id: incidents.id, caseId: incidents.caseId })
      .from(incidents)
      .where(sql`${incidents.notifies} and ${isNotNull(incidents.caseId)}`)
      .orderBy(asc(incidents.id))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!found) return false
    const { rows } = await tx.execute<{ body: string; by: number }>(sql`
      select body, created_by as by from incident_updates where incident_id = ${found.id} and created_by is not null order by id desc limit 1`)
    const { body, by } = rows[0]!
    const left = await closeCase(tx, found.caseId!, body, { admin: { id: by }, requestId: null })
    if (left === 0) await tx.update(incidents).set({ notifies: false }).where(eq(incidents.id, found.id))
    return left > 0
  })
}
