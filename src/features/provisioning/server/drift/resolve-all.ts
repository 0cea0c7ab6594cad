import { asc, inArray } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { lineDrift } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { changed, notifyLines } from '#server/live/notify.ts'
import type { RepairableKind } from '../../admin-drift-contract.ts'
import type { Actor } from '../admin-decisions.ts'
import { openDrift } from './list.ts'
import { queueRepair } from './resolve.ts'

/**
 * Queues a job for each line with differences of these kinds; the job applies our state to its panel. Covers at most `limits.lines.repairBatch` differences;
 * with `panelId`, only those of this panel. Audited. Throws 409 if the number of differences is not `expected`.
 */
export async function repairAll(
  db: Db,
  { kinds, expected, panelId }: { kinds: RepairableKind[]; expected: number; panelId?: number | undefined },
  actor: Actor,
): Promise<{ queued: number; left: number }> {
  return inTransaction(db, async (tx) => {
    const chosen = await tx
      .select()
      .from(lineDrift)
      .where(openDrift(kinds, panelId))
      .orderBy(asc(lineDrift.kind), asc(lineDrift.id))
      .limit(limits.lines.repairBatch)
      .for('update')
    const total = await tx.$count(lineDrift, openDrift(kinds, panelId))
    if (total !== expected)
      return conflict(
        'stale',
        'The differences have changed since you opened this page. Nothing was repaired; please check them again.',
      )
    // One job corrects all differences of a line.
    const first = [...new Map(chosen.toReversed().map((drift) => [drift.userId, drift])).values()]
    for (const drift of first.toReversed()) await queueRepair(tx, drift)
    await tx.delete(lineDrift).where(
      inArray(
        lineDrift.id,
        chosen.map(({ id }) => id),
      ),
    )
    const mended = Object.fromEntries(kinds.map((kind) => [kind, chosen.filter((drift) => drift.kind === kind).length]))
    await audit(tx, {
      actorId: actor.admin.id,
      action: 'line.mend_all',
      targetType: 'line',
      targetId: 'panel',
      after: { mended, ...(panelId !== undefined && { panel: panelId }) },
      requestId: actor.requestId,
    })
    await notifyLines(tx)
    await changed(tx, ['line_drift', 'line_job'])
    return { queued: first.length, left: total - chosen.length }
  })
}
