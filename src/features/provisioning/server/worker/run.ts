import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '#server/limits.ts'
import { isOutboundHeld } from '#server/outbound/outbound-gate.ts'
import type { ProvisioningConfig, WorkerContext } from '../config.ts'
import { compareWithPanel, isComparisonDue } from '../drift/compare.ts'
import { assignToAdministrators, hasDueJob, type Job, nextDueJob, postpone, type Transition } from '../job-store.ts'
import { queueMoves } from '../moves/queue-moves.ts'
import { panelIds } from '../panel-rows/read-panels.ts'
import { decide } from './decide.ts'
import { executeStep, transitionAfter } from './execute-step.ts'
import { fetchActualState } from './fetch-actual.ts'
import { loadTarget } from './load.ts'
import { acquireLease, backOff, releaseLease, renewLease, reportUnusablePanel, resetBackOff } from './panel-lease.ts'
import { record } from './record.ts'

/**
 * Runs `runPanel` for all panels concurrently. Returns the total number of processed jobs. Throws like `runPanel`, but only after the other panels are done.
 */
export async function runJobs(
  context: WorkerContext,
  signal?: AbortSignal,
  gapMs: number = limits.lines.gapMs,
): Promise<number> {
  const rounds = (await panelIds(context.db)).map((id) => runPanel(context, id, signal, gapMs))
  const ended = await Promise.allSettled(rounds)
  for (const round of ended) if (round.status === 'rejected') throw round.reason
  return ended.reduce((sum, round) => sum + (round.status === 'fulfilled' ? round.value : 0), 0)
}

/**
 * Runs one round of the worker for a panel: processes its due jobs in order, then makes a requested comparison. Only one process at a time calls a panel. Stops
 * early if the panel does not answer, which delays only the lines of this panel. Does nothing while this installation is held. With manual provisioning, turns
 * the jobs of the panel into tasks for administrators. Waits `gapMs` milliseconds between jobs. Returns how many jobs it processed. Throws when the panel's key
 * cannot be decrypted.
 */
export async function runPanel(
  context: WorkerContext,
  panelId: number,
  signal?: AbortSignal,
  gapMs: number = limits.lines.gapMs,
): Promise<number> {
  const { db, log } = context
  const config = await context.loadConfig(panelId).catch(async (error: Error) => {
    await reportUnusablePanel(db, panelId)
    throw error
  })
  if (!config) return assignToAdministrators(db, panelId)
  if (await isOutboundHeld()) return 0
  await queueMoves(db, panelId)
  if (!(await hasDueJob(db, panelId)) && !(await isComparisonDue(db, panelId))) return 0
  const holder = randomUUID()
  if (!(await acquireLease(db, panelId, holder))) return 0
  try {
    const processed = await processDueJobs(context, config, holder, gapMs, signal)
    if ((await isComparisonDue(db, panelId)) && (await renewLease(db, holder))) await compareWithPanel(context, config)
    return processed
  } finally {
    await releaseLease(db, holder).catch((error: Error) =>
      log.error({ message: error.message }, 'the panel lease was not released; it expires on its own'),
    )
  }
}

async function processDueJobs(
  context: WorkerContext,
  config: ProvisioningConfig,
  holder: string,
  gapMs: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { db, log } = context
  for (let processed = 0; ; processed++) {
    if (signal?.aborted) return processed
    const job =
      (await nextDueJob(db, config.id)) ?? ((await queueMoves(db, config.id)) > 0 && (await nextDueJob(db, config.id)))
    if (!job || !(await renewLease(db, holder))) return processed
    const outcome = await processJob(context, config, job).catch((error: Error) => afterError(context, job, error))
    if (outcome.panelDown !== undefined) {
      log.warn({ job: job.id, message: outcome.panelDown }, 'the panel does not answer; its line jobs wait')
      await backOff(db, holder, outcome.panelDown)
      return processed
    }
    await resetBackOff(db, config.id)
    await pause(gapMs, undefined, { signal }).catch(() => undefined)
  }
}

/** `panelDown`: why the panel could not be called. If it is set, the other jobs of the panel wait too. */
type Outcome = { panelDown?: string }

/**
 * Brings one line to its desired state, one call after another. Each pass reads the database and the panel first, so a job that was
 * interrupted, repeated or delayed does only what is left to do.
 */
async function processJob(context: WorkerContext, config: ProvisioningConfig, dueJob: Job): Promise<Outcome> {
  let job: Job | undefined = dueJob
  while (job) {
    const target = await loadTarget(context, config, job)
    const actual = await fetchActualState(context, config, job, target)
    const { transition, call } = decide(config, job, target, actual)
    let last = transition
    job = await record(context, config, job, last)
    if (job && call) {
      last = transitionAfter(job, await executeStep(config.panel, call))
      job = await record(context, config, job, last)
    }
    if (last.name === 'readFailed' || last.name === 'notSent') return { panelDown: last.answer }
    if (!continuingTransitions.has(last.name)) return {}
  }
  return {}
}
const continuingTransitions = new Set<Transition['name']>(['confirm', 'resend'])

/** An error in one job must not block the others: the job is tried again later, as if this process had died. */
async function afterError({ db, log }: WorkerContext, job: Job, error: Error): Promise<Outcome> {
  const { name, message, stack } = error
  log.error(
    { job: job.id, name, message: error.cause ? name : message, stack: stack?.split('\n').slice(-6).join('\n') },
    'a line job failed',
  )
  await postpone(db, job)
  return {}
}
