import { and, eq, gt, isNotNull, lte, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { lineJobs, linePanel } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import { notifyAdmins, notifyLines } from '#server/notify.ts'
import type { SessionUser } from '#server/session.ts'
import type { JobState } from '../../admin-contract.ts'
import { linePages } from '../pages.ts'
import { getLinePanel } from './read-jobs.ts'

export type Act = { admin: SessionUser; requestId: string }
type Row = typeof lineJobs.$inferSelect

/** An administrator has a line looked at again, with all its tries. Throws 404, and 409 for a job that waits for nobody. */
export const retryJob = (db: Db, id: number, act: Act): Promise<{ state: JobState }> =>
  decide(db, id, act, 'line.retry', async (tx, before) => {
    // Whoever presses it has looked at the panel: what became of the last call plays no part any more, and the line is looked at first.
    const fresh = { state: 'queued' as const, task: null, asked: 0, steps: [] as string[], dueAt: sql`now()`, lastAnswer: null }
    await tx.update(lineJobs).set(fresh).where(eq(lineJobs.id, before.id))
    await notifyLines(tx)
    return 'queued'
  })

/** An administrator says that a job was done in the panel; older ones of the same customer wanted nothing else. Throws 404 and 409 as `retryJob`. */
export const settleJob = (db: Db, id: number, act: Act): Promise<{ state: JobState }> =>
  decide(db, id, act, 'line.settle', async (tx, before) => {
    const done = { state: 'done', task: null, finishedAt: sql`now()`, lastAnswer: `Marked as done by ${act.admin.username}.` } as const
    await tx.update(lineJobs).set(done).where(eq(lineJobs.id, before.id))
    if (before.userId !== null && before.task === 'manual')
      await tx
        .update(lineJobs)
        .set(done)
        .where(and(eq(lineJobs.userId, before.userId), eq(lineJobs.task, 'manual'), lte(lineJobs.id, before.id)))
    await notifyLines(tx)
    return 'done'
  })

async function decide(
  db: Db,
  id: number,
  act: Act,
  action: 'line.retry' | 'line.settle',
  change: (tx: Tx, before: Row) => Promise<JobState>,
): Promise<{ state: JobState }> {
  return inTransaction(db, async (tx) => {
    const [before] = await tx.select().from(lineJobs).where(eq(lineJobs.id, id)).for('update')
    if (!before) return notFound('There is no such job')
    if (before.state === 'done') return conflict('job_done', 'This is done already.')
    if (before.task === null && before.state !== 'queued')
      return conflict('job_at_work', 'The panel is being asked about this line right now. Please wait a moment.')
    const state = await change(tx, before)
    await audit(tx, {
      actorId: act.admin.id,
      action,
      targetType: before.userId === null ? 'line' : 'user',
      targetId: before.userId ?? before.lineRef!,
      before: { job: before.id, state: before.state, task: before.task, step: before.step },
      after: { state, cause: before.cause },
      requestId: act.requestId,
    })
    await notifyAdmins(tx, linePages)
    return { state }
  })
}

/** Ends the rest of a panel that does not answer: it is asked now. Returns how many jobs wait for it. */
export async function tryPanel(db: Db, act: Act): Promise<{ waiting: number }> {
  await inTransaction(db, async (tx) => {
    const [rested] = await tx
      .update(linePanel)
      .set({ restUntil: sql`now()` })
      .where(and(isNotNull(linePanel.downSince), gt(linePanel.restUntil, sql`now()`)))
      .returning({ downSince: linePanel.downSince })
    if (rested)
      await audit(tx, { actorId: act.admin.id, action: 'line.try_panel', targetType: 'line', targetId: 'panel', after: rested, requestId: act.requestId })
    await notifyLines(tx)
    await notifyAdmins(tx, linePages)
  })
  const { waiting } = await getLinePanel(db)
  return { waiting }
}
