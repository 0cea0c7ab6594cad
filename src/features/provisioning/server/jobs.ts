import { sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { startWorkerLoop, type WorkerLoop } from '#server/jobs/worker-loop.ts'
import type { Works } from './config.ts'
import { askForCheck } from './drift/compare.ts'
import { endLines } from './expire-lines.ts'
import { runJobs } from './worker/run.ts'

/** What time causes about lines; the calls to the panel are the worker's. */
export const jobs = (db: Db): Job[] => [
  { name: 'compare-lines', cron: '17 4 * * *', run: () => askForCheck(db) },
  {
    name: 'end-lines',
    cron: '* * * * *',
    run: () => endLines(db),
    ahead: async () => {
      const { graceDays } = await settings.read(db, 'provisioning')
      return sql`SELECT wanted_until + interval '24 hours' * ${graceDays}::int AS at FROM lines WHERE wanted_enabled`
    },
  },
]

export type LineWorker = Omit<WorkerLoop, 'run'> & { jobs: Job[] }

/** Calls the panel as soon as something has to be done (`wake`), and looks each minute for what is due. `stop` waits for the call that is on its way. */
export function openLines(works: Works): LineWorker {
  const { run, ...worker } = startWorkerLoop({
    log: works.log,
    complaint: 'lines could not be looked at',
    round: (signal) => runJobs(works, signal),
  })
  return { ...worker, jobs: [{ name: 'provision-lines', cron: '* * * * *', run }] }
}
