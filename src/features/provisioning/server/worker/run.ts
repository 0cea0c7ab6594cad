import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { statement } from '#server/db/statement.ts'
import { lineJobs, linePanel } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { notifyAdmins } from '#server/live/notify.ts'
import { isOutboundHeld } from '#server/outbound/outbound-gate.ts'
import { linePages } from '../affected-endpoints.ts'
import type { Terms, Works } from '../config.ts'
import { checkLines, isCheckDue } from '../drift/compare.ts'
import type { Job } from '../job-store.ts'
import { doJob } from './decide.ts'
import { answered, endTurn, keepTurn, rest, takeTurn, unusable } from './panel-lease.ts'

/**
 * Does what is due, one call to the panel at a time over all processes, in the order of the causes; returns how many jobs it looked at.
 * Where lines are made by hand, jobs become tasks. A panel that does not answer is left alone, and everything waits in its place; so it does
 * while this installation is held.
 */
export async function runJobs(works: Works, signal?: AbortSignal, gapMs: number = limits.lines.gapMs): Promise<number> {
  const terms = await works.terms().catch(async (error: Error) => {
    await unusable(works.db)
    throw error
  })
  if (!terms) return toTasks(works.db)
  if (await isOutboundHeld()) return 0
  const holder = randomUUID()
  if (!((await hasDue(works.db)) || (await isCheckDue(works.db))) || !(await takeTurn(works.db, holder))) return 0
  try {
    const looked = await inTurn(works, terms, holder, gapMs, signal)
    if ((await isCheckDue(works.db)) && (await keepTurn(works.db, holder))) await checkLines(works, terms)
    return looked
  } finally {
    await endTurn(works.db, holder).catch((error: Error) =>
      works.log.error({ message: error.message }, 'the turn at the panel ends by its time'),
    )
  }
}

async function inTurn(
  works: Works,
  terms: Terms,
  holder: string,
  gapMs: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  for (let looked = 0; ; looked++) {
    if (signal?.aborted) return looked
    const job = await nextJob(works.db)
    if (!job || !(await keepTurn(works.db, holder))) return looked
    const went = await doJob(works, terms, job).catch((error: Error) => stumbled(works, job, error))
    if (went !== 'on') {
      works.log.warn({ job: job.id, message: went.down }, 'the panel does not answer; its lines wait')
      await rest(works.db, holder, went.down)
      return looked
    }
    await answered(works.db)
    await pause(gapMs, undefined, { signal }).catch(() => undefined)
  }
}

/** A fault of ours with one job leaves the others their turn; the job is looked at again later, as if this process had died. */
async function stumbled({ db, log }: Works, job: Job, error: Error): Promise<'on'> {
  const { name, message, stack } = error
  log.error(
    { job: job.id, name, message: error.cause ? name : message, stack: stack?.split('\n').slice(-6).join('\n') },
    'a line job could not be done',
  )
  await db.update(lineJobs).set({ dueAt: sql`now() + interval '5 minutes'` }).where(eq(lineJobs.id, job.id))
  return 'on'
}

const isOpen = and(isNull(lineJobs.task), sql`${lineJobs.state} in ('queued', 'sent', 'unknown')`)

const hasDue = async (db: Db): Promise<boolean> =>
  (
    await db
      .select({ id: lineJobs.id })
      .from(lineJobs)
      .where(and(isOpen, lte(lineJobs.dueAt, sql`now()`)))
      .limit(1)
  ).length > 0

/** The oldest that is due. A line whose last call is not settled, or that has an older job, waits for that. */
async function nextJob(db: Db): Promise<Job | undefined> {
  const [job] = await db
    .select()
    .from(lineJobs)
    .where(
      and(
        isOpen,
        lte(lineJobs.dueAt, sql`now()`),
        or(
          isNull(lineJobs.userId),
          sql`not exists (select 1 from line_jobs e where e.user_id = ${lineJobs.userId} and e.id <> ${lineJobs.id}
            and (e.state in ('sent', 'unknown') or (e.state = 'queued' and e.task is null and e.id < ${lineJobs.id})))`,
        ),
      ),
    )
    .orderBy(lineJobs.id)
    .limit(1)
  return job
}

async function toTasks(db: Db): Promise<number> {
  const made = await leaveToHands(db, {})
  if (made.length > 0) await notifyAdmins(db, linePages)
  return made.length
}
/** Every job that waits is a task, and nobody asks for a comparison where there is nothing to compare with. */
const leaveToHands = statement('line_jobs_to_tasks', (db: Db | Tx) => {
  const unasked = db
    .$with('unasked')
    .as(db.update(linePanel).set({ checkAskedAt: null }).where(isNotNull(linePanel.checkAskedAt)))
  return db
    .with(unasked)
    .update(lineJobs)
    .set({ task: 'manual' })
    .where(sql`${lineJobs.task} is null and ${lineJobs.state} = 'queued'`)
    .returning({ id: lineJobs.id })
})
