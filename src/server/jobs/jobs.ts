import { setTimeout as pause } from 'node:timers/promises'
import type { SQL } from 'drizzle-orm'
import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

/** A scheduled job. `run` must be idempotent and safe in several processes: it finds its work in the tables. */
export type Job = {
  name: string
  cron: string
  run: () => Promise<unknown>
  /** A query with a column `at`: when the job will have work to do. For the CLI command `jobs`. */
  dueDates?: () => Promise<SQL> | SQL
}
/** `ready` resolves when the jobs are set up, or when `stop` is called before that. It never rejects. */
export type Jobs = { ready: Promise<void>; stop: () => Promise<void> }
type Options = {
  pool: pg.Pool
  log: Pick<Logger, 'error' | 'info'>
  jobs: Job[]
  retryMs?: number
  onRun?: (name: string, isDone: boolean) => void
}

/** Runs every job by its cron schedule (UTC), each run in one process only. Retries the setup until the database is available. */
export function startJobs(options: Options): Jobs {
  const stopping = new AbortController()
  let running: PgBoss | undefined
  const setUpWithRetries = async () => {
    while (!running && !stopping.signal.aborted) {
      running = await setUp(options).catch(
        (error: Error) => void options.log.error({ message: error.message }, 'job queue setup failed, retrying'),
      )
      if (!running) await pause(options.retryMs ?? 5_000, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const ready = setUpWithRetries()
  return {
    ready,
    stop: async () => {
      stopping.abort()
      await ready
      await running?.stop({ graceful: true, timeout: 5_000 })
    },
  }
}

/** Jobs are due at most once a minute, and every process polls every queue. */
const pollingIntervalSeconds = 5

async function setUp({ pool, log, jobs, onRun = () => {} }: Options): Promise<PgBoss> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values as unknown[]) },
    schema: 'jobs',
  })
  boss.on('error', (error: Error) => log.error({ message: error.message }, 'job queue error'))
  try {
    await boss.start()
    for (const { name, cron, run } of jobs) {
      await boss.createQueue(name, { retryLimit: 0 })
      await boss.work(name, { pollingIntervalSeconds }, async () => {
        const result = await run().catch((error: Error) => {
          onRun(name, false)
          throw error
        })
        onRun(name, true)
        if (result) log.info({ job: name, result }, 'job done')
        return { result }
      })
      await boss.schedule(name, cron, null, { tz: 'UTC' })
    }
    return boss
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined)
    throw error
  }
}
