import { eq } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { importRuns } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import type { ImportKind, RunState } from '../../rules.ts'

export type LockedRun = { id: number; name: string; kind: ImportKind; state: RunState; emailsSince: Instant | null }

/** Locks a run and returns it, so that its batches are processed one by one. Throws 404. */
export async function lockRun(tx: Tx, runId: number): Promise<LockedRun> {
  const [run] = await tx
    .select({
      id: importRuns.id,
      name: importRuns.name,
      kind: importRuns.kind,
      state: importRuns.state,
      emailsSince: importRuns.emailsSince,
    })
    .from(importRuns)
    .where(eq(importRuns.id, runId))
    .for('update')
  return run ?? notFound('Import not found')
}

const attempts = 3

/**
 * Runs one batch in a transaction. Retries if a customer registers at the same time with a username or email address of the batch: the retry finds
 * that account and does not create the row. Throws 409 `other_run` while another run is being applied or undone.
 */
export async function inBatch<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(db, work)
    } catch (error) {
      const violation = violationOf(error)
      if (violation?.constraint === 'one_run_at_work')
        return conflict('other_run', 'Another import is being applied or undone. Finish that one first.')
      if (violation?.code !== '23505' || attempt === attempts) throw error
    }
  }
}
