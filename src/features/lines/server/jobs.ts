import { sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs.ts'
import { askForCheck } from './service/check-lines.ts'
import { endLines } from './service/end-lines.ts'
import { runJobs } from './service/run-jobs.ts'
import type { Works } from './terms.ts'

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

export type LineWorker = { wake: () => void; jobs: Job[]; stop: () => Promise<void> }

/** Calls the panel as soon as something has to be done (`wake`), and looks each minute for what is due. `stop` waits for the call that is on its way. */
export function openLines(works: Works): LineWorker {
  const stopping = new AbortController()
  let running: Promise<number> | undefined
  let isAsked = false
  const run = (): Promise<number> => {
    // Whoever asks meanwhile may mean a job that this round did not see.
    isAsked = true
    running ??= rounds().finally(() => {
      running = undefined
    })
    return running
  }
  const rounds = async () => {
    let looked = 0
    while (isAsked && !stopping.signal.aborted) {
      isAsked = false
      looked += await runJobs(works, stopping.signal)
    }
    return looked
  }
  return {
    wake: () => void run().catch((error: Error) => works.log.error({ message: error.message }, 'lines could not be looked at')),
    jobs: [{ name: 'provision-lines', cron: '* * * * *', run }],
    stop: async () => {
      stopping.abort()
      await running?.catch(() => undefined)
    },
  }
}
