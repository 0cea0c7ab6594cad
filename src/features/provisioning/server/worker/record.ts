import { eq } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { lines, users } from '#server/db/tables.ts'
import type { ProvisioningConfig, WorkerContext } from '../config.ts'
import { closeSuperseded, type Job, type Transition, transition } from '../job-store.ts'
import { mailLineReady, savePanelState, syncAccountToLine } from '../line-store.ts'
import { saveCreatedLine } from '../moves/load-move.ts'
import { hasOtherCall, switchLine } from '../moves/switch-line.ts'

type Confirm = Extract<Transition, { name: 'confirm' }>
type Finish = Extract<Transition, { name: 'finish' }>

/** Stores a transition and its consequences. Returns the job as it is now, or undefined when another process changed it first. */
export function record(
  context: WorkerContext,
  config: ProvisioningConfig,
  job: Job,
  change: Transition,
): Promise<Job | undefined> {
  logProblem(context.log, job, change)
  if (change.name === 'confirm') return recordStep(context, config, job, change)
  if (change.name === 'finish') return recordFinish(context, config, job, change)
  return transition(context.db, job, change)
}

/** Locks the customer first: payments lock the customer before the line. */
const lockCustomer = (tx: Tx, userId: number) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')

/** A customer whose line is created within this many milliseconds sees it on the page and gets no email about it. */
const quickMs = 120_000

/** Records that a call took effect: writes an audit entry, stores the panel's state, and makes a new line the customer's IPTV account. */
const recordStep = (
  { db, key }: WorkerContext,
  config: ProvisioningConfig,
  job: Job,
  change: Confirm,
): Promise<Job | undefined> =>
  inTransaction(db, async (tx) => {
    const { userId, cause } = job
    const { step, line } = change
    if (userId !== null) await lockCustomer(tx, userId)
    const stored = await transition(tx, job, change)
    if (!stored) return undefined
    await audit(tx, {
      actorId: null,
      action: `line.${step}`,
      targetType: userId === null ? 'line' : 'user',
      targetId: userId ?? line.lineRef,
      after: {
        step,
        cause,
        panel: config.panel.kind,
        until: line.expiresAt,
        connections: line.connections,
        enabled: line.enabled,
        username: line.username,
      },
    })
    if (userId === null) return stored
    // A moved line is switched when its job finishes, after the line has been read from the new panel.
    if (cause === 'move') {
      if (step === 'create') await saveCreatedLine(tx, key(), job, line)
      return stored
    }
    await savePanelState(tx, key(), config, userId, line)
    if (step === 'create' && cause !== 'trial') {
      await syncAccountToLine(tx, key(), userId, { isNew: true })
      if (Date.now() - Date.parse(job.createdAt) > quickMs) await mailLineReady(tx, userId)
    }
    return stored
  })

/** Records that the line has its desired state: stores that state and the panel's, and closes older jobs that wait for an administrator. */
const recordFinish = (
  { db, key }: WorkerContext,
  config: ProvisioningConfig,
  job: Job,
  change: Finish,
): Promise<Job | undefined> =>
  inTransaction(db, async (tx) => {
    const { userId } = job
    const { line, desired } = change
    if (userId !== null) await lockCustomer(tx, userId)
    if (job.cause === 'move' && (await hasOtherCall(tx, job))) return undefined
    const stored = await transition(tx, job, change)
    if (!stored || userId === null) return stored
    if (job.cause === 'move') await switchLine(tx, key(), config, job, line)
    else if (line) {
      await savePanelState(tx, key(), config, userId, line)
      if (desired?.enabled && !desired.trial) await syncAccountToLine(tx, key(), userId)
    }
    if (desired)
      await tx
        .update(lines)
        .set({ wantedEnabled: desired.enabled, wantedUntil: desired.until, wantedConnections: desired.connections })
        .where(eq(lines.userId, userId))
    await closeSuperseded(tx, userId, job)
    return stored
  })

function logProblem(log: WorkerContext['log'], { id: job, cause, step }: Job, change: Transition): void {
  if (change.name === 'loseOutcome')
    log.warn({ job, step, message: change.answer }, 'the outcome of a panel call is unknown')
  if ('task' in change) log.warn({ job, cause, step, task: change.task }, 'a line job waits for an administrator')
}
