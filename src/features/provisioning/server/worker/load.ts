import type { DesiredState } from '../../rules.ts'
import type { ProvisioningConfig, WorkerContext } from '../config.ts'
import { loadSubscriber, type Subscriber } from '../entitlement.ts'
import type { Job } from '../job-store.ts'

/** The customer of a job, and the desired state of the line. `subscriber` is null for an orphan line, which can only be disabled. */
export type Target = { subscriber: Subscriber | null; desired: DesiredState }

const orphan: Target = {
  subscriber: null,
  desired: { enabled: false, until: null, connections: 1, trial: false, planId: null, months: 1 },
}

/** Reads what the line of a job should be now. */
export async function loadTarget(
  { db }: Pick<WorkerContext, 'db'>,
  { graceDays }: ProvisioningConfig,
  { userId }: Job,
): Promise<Target> {
  if (userId === null) return orphan
  const subscriber = await loadSubscriber(db, userId, graceDays)
  return { subscriber, desired: subscriber.desired }
}
