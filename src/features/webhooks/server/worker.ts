import { inArray, lt, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { webhookDeliveries } from '#server/db/tables.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { startWorkerLoop, type WorkerLoop } from '#server/jobs/worker-loop.ts'
import { limits } from '#server/limits.ts'
import { isOutboundHeld } from '#server/outbound/outbound-gate.ts'
import { claimDue, type DeliveryContext, deliver } from './delivery/deliver.ts'

export type WebhookWorker = Omit<WorkerLoop, 'run'> & { jobs: Job[] }

/** Starts the worker loop that sends notices as soon as they are queued (`wake`). Retries due notices every minute, or sooner if an attempt is due sooner. */
export function startWebhookWorker(context: DeliveryContext): WebhookWorker {
  const timers = new Set<NodeJS.Timeout>()
  const wakeIn = (seconds: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      worker.wake()
    }, seconds * 1_000)
    timers.add(timer.unref())
  }
  const { run, ...worker } = startWorkerLoop({
    log: context.log,
    failureMessage: 'notices could not be sent',
    round: (signal) => sendNotices(context, wakeIn, signal),
  })
  return {
    ...worker,
    stop: async () => {
      for (const timer of timers) clearTimeout(timer)
      await worker.stop()
    },
    jobs: [
      { name: 'send-notices', cron: '* * * * *', run },
      { name: 'forget-notices', cron: '37 3 * * *', run: () => deleteOldDeliveries(context.db) },
    ],
  }
}

/**
 * Sends due notices until none is left, and returns how many attempts it made. Claims divide the work between processes. While the outbound traffic
 * of this installation is held, notices stay queued. `wakeIn` is called for attempts that are due within a minute.
 */
export async function sendNotices(
  context: DeliveryContext,
  wakeIn: (seconds: number) => void = () => {},
  signal?: AbortSignal,
): Promise<number> {
  if (await isOutboundHeld()) return 0
  for (let attempts = 0; ; ) {
    if (signal?.aborted) return attempts
    const claimed = await claimDue(context.db)
    if (claimed.length === 0) return attempts
    attempts += claimed.length
    const outcomes = await Promise.allSettled(claimed.map((delivery) => deliver(context, delivery)))
    // If the outcome of a delivery could not be recorded, the delivery is claimed again after its lease has expired.
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        context.log.error({ message: (outcome.reason as Error).message }, 'notice outcome could not be recorded')
      else if (outcome.value !== undefined && outcome.value < 60) wakeIn(outcome.value)
  }
}

/** Deletes deliveries older than `limits.webhook.keptDays`, in batches to keep locks short. Returns the number of deleted rows. */
async function deleteOldDeliveries(db: Db, batchSize = 5_000): Promise<number> {
  let total = 0
  for (let deleted = batchSize; deleted === batchSize; total += deleted) {
    const old = db
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(lt(webhookDeliveries.createdAt, sql`now() - make_interval(days => ${limits.webhook.keptDays})`))
      .limit(batchSize)
    deleted = (await db.delete(webhookDeliveries).where(inArray(webhookDeliveries.id, old))).rowCount ?? 0
  }
  return total
}
