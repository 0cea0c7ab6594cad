import { and, eq } from 'drizzle-orm'
import { lines } from '#server/db/tables.ts'
import type { DesiredState } from '../../rules.ts'
import type { ProvisioningConfig, WorkerContext } from '../config.ts'
import { loadSubscriber, type Subscriber } from '../entitlement.ts'
import type { Job } from '../job-store.ts'
import { loadMove, type Move } from '../moves/load-move.ts'

/** The customer of a job, and the desired state of the line. `subscriber` is null for an orphan line, which can only be disabled. */
export type Target = {
  subscriber: Subscriber | null
  desired: DesiredState
  /** The move to another panel that the job makes; null for any other job. */
  move: Move | null
  /** Whether the orphan line has become a customer's line and must not be changed. */
  isOwned: boolean
}

const orphan: Target = {
  subscriber: null,
  move: null,
  isOwned: false,
  desired: { enabled: false, until: null, connections: 1, trial: false, planId: null, months: 1 },
}

/** Reads the desired state of the line that a job is about, and its customer. */
export async function loadTarget(
  { db }: Pick<WorkerContext, 'db'>,
  { id, panelId, graceDays }: ProvisioningConfig,
  job: Job,
): Promise<Target> {
  const { userId, lineRef } = job
  if (userId === null) {
    const owner = and(eq(lines.panelId, id), eq(lines.panel, panelId), eq(lines.lineRef, lineRef!))
    return { ...orphan, isOwned: (await db.$count(lines, owner)) > 0 }
  }
  const subscriber = await loadSubscriber(db, userId, graceDays)
  return { subscriber, desired: subscriber.desired, move: await loadMove(db, job), isOwned: false }
}
