import { and, eq, gt, isNotNull, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { lineJobs, linePanel } from '#server/db/tables.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import { changed, notifyLines } from '#server/live/notify.ts'
import type { KeyOrRing } from '#server/secrets/keys.ts'
import type { SessionUser } from '#server/session/session.ts'
import type { JobState, ManualLine } from '../admin-contract.ts'
import { closeManualJobs, type Job, transition } from './job-store.ts'
import { countWaiting } from './list-jobs.ts'
import { confirmManualLine, saveManualLine } from './manual-lines.ts'

export type Actor = { admin: SessionUser; requestId: string }

/**
 * Starts a job over with the full number of tries. Throws 404, and 409 for a job that is done, is being processed, or cannot be retried with manual
 * provisioning.
 */
export const retryJob = (db: Db, id: number, actor: Actor): Promise<{ state: JobState }> =>
  decide(db, id, actor, 'line.retry', async (tx, job) => {
    if (job.task === 'manual' && (await settings.read(tx, 'provisioning')).kind === 'manual')
      return conflict(
        'by_hand',
        'Provisioning is manual: no panel is connected. Create the line in your panel, then mark this as done.',
      )
    // The administrator has checked the panel, so an unknown outcome of the last call no longer matters.
    await transition(tx, job, { name: 'restart' })
    await notifyLines(tx)
    return 'queued'
  })

/** Marks a job as done, together with older manual jobs of the same customer. Throws like `retryJob`. */
export const markJobDone = (db: Db, id: number, actor: Actor): Promise<{ state: JobState }> =>
  decide(db, id, actor, 'line.settle', (tx, job) => markDone(tx, job, actor))

/**
 * Marks a manual job as done and stores the line's credentials as the customer's account, if any were entered. Throws 400 at the username if another customer's
 * line has it, and 409 if a panel creates the line.
 */
export async function recordManualLine(
  db: Db,
  id: number,
  line: ManualLine,
  actor: Actor,
  key: () => KeyOrRing,
): Promise<{ state: JobState }> {
  try {
    return await decide(db, id, actor, 'line.settle', async (tx, job) => {
      if (job.task !== 'manual' || job.userId === null)
        return conflict('not_by_hand', 'The panel creates this line. Please check the job again.')
      if (line.username !== '') await saveManualLine(tx, key(), job.userId, line, actor.admin.id)
      return markDone(tx, job, actor)
    })
  } catch (error) {
    const isTaken = ['lines_username', 'lines_ref'].includes(violationOf(error)?.constraint ?? '')
    if (isTaken) return invalid('username', 'Another customer’s line has this username', 'line_taken')
    throw error
  }
}

async function markDone(tx: Tx, job: Job, actor: Actor): Promise<JobState> {
  const answer = `Marked as done by ${actor.admin.username}.`
  await transition(tx, job, { name: 'markDone', answer })
  if (job.userId !== null && job.task === 'manual') {
    await closeManualJobs(tx, job.userId, job, answer)
    await confirmManualLine(tx, job.userId)
  }
  await notifyLines(tx)
  return 'done'
}

async function decide(
  db: Db,
  id: number,
  actor: Actor,
  action: 'line.retry' | 'line.settle',
  change: (tx: Tx, job: Job) => Promise<JobState>,
): Promise<{ state: JobState }> {
  return inTransaction(db, async (tx) => {
    const [job] = await tx.select().from(lineJobs).where(eq(lineJobs.id, id)).for('update')
    if (!job) return notFound('Job not found')
    if (job.state === 'done') return conflict('job_done', 'This job is already done.')
    if (job.task === null && job.state !== 'queued')
      return conflict('job_at_work', 'A request about this line is in progress. Please wait a moment.')
    const state = await change(tx, job)
    await audit(tx, {
      actorId: actor.admin.id,
      action,
      targetType: job.userId === null ? 'line' : 'user',
      targetId: job.userId ?? job.lineRef!,
      before: { job: job.id, state: job.state, task: job.task, step: job.step },
      after: { state, cause: job.cause },
      requestId: actor.requestId,
    })
    await changed(tx, 'line_job')
    return { state }
  })
}

/** Ends the back-off of panels that do not answer: the worker calls them now. Returns how many jobs wait for a panel. */
export async function retryPanelNow(db: Db, actor: Actor): Promise<{ waiting: number }> {
  await inTransaction(db, async (tx) => {
    const [ended] = await tx
      .update(linePanel)
      .set({ restUntil: sql`now()` })
      .where(and(isNotNull(linePanel.downSince), gt(linePanel.restUntil, sql`now()`)))
      .returning({ downSince: linePanel.downSince })
    if (ended)
      await audit(tx, {
        actorId: actor.admin.id,
        action: 'line.try_panel',
        targetType: 'line',
        targetId: 'panel',
        after: ended,
        requestId: actor.requestId,
      })
    await notifyLines(tx)
    await changed(tx, 'line_job')
  })
  return { waiting: await countWaiting(db) }
}
