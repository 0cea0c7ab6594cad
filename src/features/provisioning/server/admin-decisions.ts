import { and, eq, gt, isNotNull, lte, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { lineJobs, linePanel } from '#server/db/tables.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import { notifyAdmins, notifyLines } from '#server/live/notify.ts'
import type { Key } from '#server/secrets/keys.ts'
import type { SessionUser } from '#server/session/session.ts'
import type { JobState, MadeLine } from '../admin-contract.ts'
import { linePages } from './affected-endpoints.ts'
import { countWaiting } from './list-jobs.ts'
import { asWanted, keepMade } from './manual-lines.ts'

export type Act = { admin: SessionUser; requestId: string }
type Row = typeof lineJobs.$inferSelect

/** An administrator has a line looked at again, with all its tries. Throws 404, and 409 for a job that waits for nobody. */
export const retryJob = (db: Db, id: number, act: Act): Promise<{ state: JobState }> =>
  decide(db, id, act, 'line.retry', async (tx, before) => {
    if (before.task === 'manual' && (await settings.read(tx, 'provisioning')).kind === 'manual')
      return conflict(
        'by_hand',
        'Lines are made by hand: there is no panel to ask. Make the line there, then mark this as done.',
      )
    // Whoever presses it has looked at the panel: what became of the last call plays no part any more, and the line is looked at first.
    const fresh = {
      state: 'queued' as const,
      task: null,
      asked: 0,
      steps: [] as string[],
      dueAt: sql`now()`,
      lastAnswer: null,
    }
    await tx.update(lineJobs).set(fresh).where(eq(lineJobs.id, before.id))
    await notifyLines(tx)
    return 'queued'
  })

/** An administrator says that a job was done in the panel; older ones of the same customer wanted nothing else. Throws 404 and 409 as `retryJob`. */
export const settleJob = (db: Db, id: number, act: Act): Promise<{ state: JobState }> =>
  decide(db, id, act, 'line.settle', (tx, before) => settled(tx, before, act))

/**
 * The same of a line that an administrator made by hand: its credentials are sealed, and become its customer's. Throws 400 at the user name
 * that another customer's line has, and 409 where a panel makes the lines.
 */
export async function noteMadeLine(
  db: Db,
  id: number,
  made: MadeLine,
  act: Act,
  key: () => Key,
): Promise<{ state: JobState }> {
  try {
    return await decide(db, id, act, 'line.settle', async (tx, before) => {
      if (before.task !== 'manual' || before.userId === null)
        return conflict('not_by_hand', 'The panel makes this line. Please look at the job again.')
      if (made.username !== '') await keepMade(tx, key(), before.userId, made, act.admin.id)
      return settled(tx, before, act)
    })
  } catch (error) {
    const isTaken = ['lines_username', 'lines_ref'].includes(violationOf(error)?.constraint ?? '')
    if (isTaken) return invalid('username', 'Another customer’s line has this user name', 'line_taken')
    throw error
  }
}

async function settled(tx: Tx, before: Row, act: Act): Promise<JobState> {
  const done = {
    state: 'done',
    task: null,
    finishedAt: sql`now()`,
    lastAnswer: `Marked as done by ${act.admin.username}.`,
  } as const
  await tx.update(lineJobs).set(done).where(eq(lineJobs.id, before.id))
  if (before.userId !== null && before.task === 'manual') {
    await tx
      .update(lineJobs)
      .set(done)
      .where(and(eq(lineJobs.userId, before.userId), eq(lineJobs.task, 'manual'), lte(lineJobs.id, before.id)))
    await asWanted(tx, before.userId)
  }
  await notifyLines(tx)
  return 'done'
}

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
      await audit(tx, {
        actorId: act.admin.id,
        action: 'line.try_panel',
        targetType: 'line',
        targetId: 'panel',
        after: rested,
        requestId: act.requestId,
      })
    await notifyLines(tx)
    await notifyAdmins(tx, linePages)
  })
  return { waiting: await countWaiting(db) }
}
