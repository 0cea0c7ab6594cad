import { sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { startWorkerLoop, type WorkerLoop } from '#server/jobs/worker-loop.ts'
import type { WorkerContext } from './config.ts'
import { requestComparison } from './drift/compare.ts'
import { expireLines } from './expire-lines.ts'
import { runJobs } from './worker/run.ts'

/** Scheduled jobs that queue work; the worker makes the calls to the panel. */
export const jobs = (db: Db): Job[] => [
  { name: 'compare-lines', cron: '17 4 * * *', run: () => requestComparison(db) },
  {
    name: 'end-lines',
    cron: '* * * * *',
    run: () => expireLines(db),
    dueDates: async () => {
      const { graceDays } = await settings.read(db, 'provisioning')
      return sql`SELECT wanted_until + interval '24 hours' * ${graceDays}::int AS at FROM lines WHERE wanted_enabled`
    },
  },
]

export type LineWorker = Omit<WorkerLoop, 'run'> & { jobs: Job[] }

/** Starts the worker. It runs when it is woken (`wake`) and once a minute. `stop` waits for a call in progress. */
export function startLineWorker(context: WorkerContext): LineWorker {
  const { run, ...worker } = startWorkerLoop({
    log: context.log,
    failureMessage: 'line jobs could not be processed',
    round: (signal) => runJobs(context, signal),
  })
  return { ...worker, jobs: [{ name: 'provision-lines', cron: '* * * * *', run }] }
}
