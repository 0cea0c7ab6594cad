import { eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { importRuns } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'
import type { Importer } from './create-import.ts'
import { lockRun } from './lock-run.ts'

/** Deletes a run that was not applied, with its rows. Throws 404 and 409 `applied`. */
export async function removeImport(
  db: Db,
  runId: number,
  { adminId, requestId }: Importer,
): Promise<{ removed: true }> {
  return inTransaction(db, async (tx) => {
    const { name, state } = await lockRun(tx, runId)
    if (state !== 'checked') return conflict('applied', 'This import was applied. You can undo it.')
    await tx.delete(importRuns).where(eq(importRuns.id, runId))
    await audit(tx, {
      actorId: adminId,
      action: 'import.remove',
      targetType: 'import',
      targetId: runId,
      after: { file: name },
      requestId,
    })
    await changed(tx, 'user')
    return { removed: true } as const
  })
}

/** Deletes runs that were checked more than a week ago and never applied, because they contain personal data. Returns how many. */
export async function removeOldImports(db: Db): Promise<number> {
  const removed = await db
    .delete(importRuns)
    .where(
      sql`${importRuns.state} = 'checked' and ${importRuns.createdAt} < now() - make_interval(days => ${limits.imports.keptDays})`,
    )
  return removed.rowCount ?? 0
}
