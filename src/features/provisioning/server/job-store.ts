import { and, eq, inArray, isNotNull, isNull, lt, lte, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { lineJobs, linePanel } from '#server/db/tables.ts'
import { changed } from '#server/live/notify.ts'
import type { DesiredState, Step } from '../rules.ts'
import type { PanelLine } from './panels/port.ts'

export type Job = typeof lineJobs.$inferSelect
type State = Job['state']
type Row = Partial<Record<keyof typeof lineJobs.$inferInsert, unknown>>

/** What can happen to a job. `answer` is shown to administrators and holds no secrets. */
export type Transition =
  /** A call is about to be made. From here on the job counts as sent, even if this process dies. */
  | { name: 'send'; step: Step; before: PanelLine | null }
  /** The call took effect. The job continues with its next step. */
  | { name: 'confirm'; step: Step; line: PanelLine }
  /** The call is made again, because a second call changes nothing. */
  | { name: 'resend' }
  /** The panel was not reached, so nothing was sent. */
  | { name: 'notSent'; answer: string }
  /** The call was sent and its outcome is unknown. */
  | { name: 'loseOutcome'; answer: string; minutes: number }
  /** The panel does not show an effect yet. */
  | { name: 'recheck'; answer: string; minutes: number }
  /** The state of the line could not be read from the panel. `retry` is set if only this line is affected. */
  | { name: 'readFailed'; answer: string; retry: { minutes: number } | null }
  /** The line is as it should be. `desired` is null for an orphan line. */
  | { name: 'finish'; line: PanelLine | null; desired: DesiredState | null }
  /** The step cannot be done without an administrator. */
  | { name: 'reject'; task: 'gone' | 'mismatch' | 'package' | 'rejected'; answer: string }
  /** Rechecking did not show whether the call took effect. */
  | { name: 'leaveUnknown'; task: 'unknown'; answer: string }
  /** The panel's answers about this line stayed unreadable. */
  | { name: 'giveUp'; task: 'tries'; answer: string }
  /** An administrator restarts the job. */
  | { name: 'restart' }
  /** An administrator did the job in the panel. */
  | { name: 'markDone'; answer: string }

/** The state after each transition, by the state before the transition. A pair that is not listed is a bug. */
const stateAfter: Record<Transition['name'], Partial<Record<State, State>>> = {
  send: { queued: 'sent', sent: 'sent', unknown: 'sent' },
  confirm: { sent: 'queued', unknown: 'queued' },
  resend: { sent: 'queued', unknown: 'queued' },
  notSent: { sent: 'queued' },
  loseOutcome: { sent: 'unknown' },
  recheck: { sent: 'unknown', unknown: 'unknown' },
  readFailed: { queued: 'queued', sent: 'unknown', unknown: 'unknown' },
  finish: { queued: 'done' },
  reject: { queued: 'rejected', sent: 'rejected' },
  leaveUnknown: { sent: 'unknown', unknown: 'unknown' },
  giveUp: { queued: 'queued', sent: 'sent', unknown: 'unknown' },
  restart: { queued: 'queued', sent: 'queued', unknown: 'queued', rejected: 'queued' },
  markDone: { queued: 'done', sent: 'done', unknown: 'done', rejected: 'done' },
}

const inMinutes = (minutes: number): SQL => sql`now() + make_interval(mins => ${minutes})`

/** The columns that a transition sets besides the state. */
function columnsOf(job: Job, change: Transition): Row {
  switch (change.name) {
    case 'send': {
      const { step, before } = change
      return {
        step,
        seen: before ? { enabled: before.enabled, until: before.expiresAt, connections: before.connections } : {},
        steps: [...job.steps, step],
        attempts: sql`${lineJobs.attempts} + 1`,
        asked: 0,
        sentAt: sql`now()`,
      }
    }
    case 'confirm':
      return { asked: 0, dueAt: sql`now()`, lastAnswer: null }
    case 'resend':
      return { steps: job.steps.filter((step) => step !== job.step), dueAt: sql`now()` }
    case 'notSent':
      return { steps: job.steps.slice(0, -1), lastAnswer: change.answer }
    case 'loseOutcome':
      return { dueAt: inMinutes(change.minutes), lastAnswer: change.answer }
    case 'recheck':
      return { asked: job.asked + 1, dueAt: inMinutes(change.minutes), lastAnswer: change.answer }
    case 'readFailed':
      return {
        lastAnswer: change.answer,
        ...(change.retry && { asked: job.asked + 1, dueAt: inMinutes(change.retry.minutes) }),
      }
    case 'finish':
      return { task: null, finishedAt: sql`now()`, lastAnswer: null }
    case 'reject':
    case 'leaveUnknown':
    case 'giveUp':
      return { task: change.task, lastAnswer: change.answer }
    case 'restart':
      return { task: null, asked: 0, steps: [], dueAt: sql`now()`, lastAnswer: null }
    case 'markDone':
      return { task: null, finishedAt: sql`now()`, lastAnswer: change.answer }
  }
}

/**
 * Stores a transition if the job has not changed since it was read. Returns the job as it is now, or undefined when another process changed it first.
 * Throws when the table above does not allow the transition.
 */
export async function transition(db: Db | Tx, job: Job, change: Transition): Promise<Job | undefined> {
  const state = stateAfter[change.name][job.state]
  if (!state) throw new Error(`A line job that is ${job.state} cannot ${change.name}`)
  const { id, attempts, asked } = job
  const [stored] = await db
    .update(lineJobs)
    .set({ ...(columnsOf(job, change) as Partial<Job>), state })
    .where(
      and(
        eq(lineJobs.id, id),
        eq(lineJobs.state, job.state),
        eq(lineJobs.attempts, attempts),
        eq(lineJobs.asked, asked),
        // A move to another panel assigns the customer's jobs to that panel.
        sql`${lineJobs.panelId} is not distinct from ${job.panelId}::int`,
      ),
    )
    .returning()
  if (stored) await changed(db, 'line_job')
  if (stored && job.userId !== null && stored.task !== job.task) await changed(db, 'line', { user: job.userId })
  return stored
}

const isOpen = and(isNull(lineJobs.task), sql`${lineJobs.state} in ('queued', 'sent', 'unknown')`)

const isOfPanel = (panelId: number | Placeholder): SQL =>
  sql`coalesce(${lineJobs.panelId}, (select l.panel_id from lines l where l.user_id = ${lineJobs.userId}), 1) = ${panelId}`

/** Whether any job is due for the worker on a panel. */
export async function hasDueJob(db: Db, panelId: number): Promise<boolean> {
  const due = await db
    .select({ id: lineJobs.id })
    .from(lineJobs)
    .where(and(isOpen, lte(lineJobs.dueAt, sql`now()`), isOfPanel(panelId)))
    .limit(1)
  return due.length > 0
}

/**
 * The oldest due job of a panel. A customer's job waits while an older job of the same customer is open, or while a call for any job of that customer has an
 * unknown outcome.
 */
export async function nextDueJob(db: Db, panelId: number): Promise<Job | undefined> {
  const [job] = await db
    .select()
    .from(lineJobs)
    .where(
      and(
        isOpen,
        lte(lineJobs.dueAt, sql`now()`),
        isOfPanel(panelId),
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

/** Makes a job due again in five minutes, whatever its state. */
export async function postpone(db: Db, { id }: Pick<Job, 'id'>): Promise<void> {
  await db
    .update(lineJobs)
    .set({ dueAt: inMinutes(5) })
    .where(eq(lineJobs.id, id))
}

/** Closes a customer's older jobs that wait for an administrator: a later job reached the desired state. */
export async function closeSuperseded(tx: Tx, userId: number, job: Pick<Job, 'id'>): Promise<void> {
  await tx
    .update(lineJobs)
    .set({ state: 'done', task: null, finishedAt: sql`now()`, lastAnswer: 'Completed by a later job.' })
    .where(
      and(
        eq(lineJobs.userId, userId),
        lt(lineJobs.id, job.id),
        isNotNull(lineJobs.task),
        inArray(lineJobs.state, ['queued', 'rejected']),
      ),
    )
}

/** Closes a customer's manual jobs up to this one: an administrator completed them together. */
export async function closeManualJobs(tx: Tx, userId: number, job: Pick<Job, 'id'>, answer: string): Promise<void> {
  await tx
    .update(lineJobs)
    .set({ state: 'done', task: null, finishedAt: sql`now()`, lastAnswer: answer })
    .where(and(eq(lineJobs.userId, userId), eq(lineJobs.task, 'manual'), lte(lineJobs.id, job.id)))
}

/** For manual provisioning: hands every queued job of the panel to the administrators and drops a requested comparison. Returns the number of jobs. */
export async function assignToAdministrators(db: Db, panelId: number): Promise<number> {
  const assigned = await assignQueued(db, { panelId })
  if (assigned.length > 0) await changed(db, 'line_job')
  return assigned.length
}
const assignQueued = statement('line_jobs_to_tasks', (db: Db | Tx, { panelId }: Params<{ panelId: number }>) => {
  const comparison = db.$with('comparison').as(
    db
      .update(linePanel)
      .set({ checkAskedAt: null })
      .where(and(isNotNull(linePanel.checkAskedAt), eq(linePanel.id, panelId))),
  )
  return db
    .with(comparison)
    .update(lineJobs)
    .set({ task: 'manual' })
    .where(and(sql`${lineJobs.task} is null and ${lineJobs.state} = 'queued'`, isOfPanel(panelId)))
    .returning({ id: lineJobs.id })
})
