import { setTimeout as pause } from 'node:timers/promises'
import type { SQL } from 'drizzle-orm'
import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

/** Something time causes. `run` may happen twice and in several processes: it finds its work in the tables and is done when there is none. */
export type Job = {
  name: string
  cron: string
  run: () => Promise<unknown>
  /** The moments (a column `at`) of what it will have to do, for those who want to know beforehand. */
  ahead?: () => Promise<SQL> | SQL
}
/** `ready` resolves when the jobs are in place, or stopped before that; it never rejects. */
export type Jobs = { ready: Promise<void>; stop: () => Promise<void> }
type Options = {
  pool: pg.Pool
  log: Pick<Logger, 'error' | 'info'>
  jobs: Job[]
  retryMs?: number
  onRun?: (name: string, isDone: boolean) => void
}

/** Runs every job at its times (cron, UTC), each in one process however many run. A database that is away is waited for. */
export function startJobs(options: Options): Jobs {
  const stopping = new AbortController()
  let running: PgBoss | undefined
  const keepTrying = async () => {
    while (!running && !stopping.signal.aborted) {
      running = await setUp(options).catch(
        (error: Error) => void options.log.error({ message: error.message }, 'the jobs could not be set up yet'),
      )
      if (!running) await pause(options.retryMs ?? 5_000, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const ready = keepTrying()
  return {
    ready,
    stop: async () => {
      stopping.abort()
      await ready
      await running?.stop({ graceful: true, timeout: 5_000 })
    },
  }
}

/** A job's time comes once a minute at most, and its queue is asked by every process. */
const pollingIntervalSeconds = 5

async function setUp({ pool, log, jobs, onRun = () => {} }: Options): Promise<PgBoss> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values as unknown[]) },
    schema: 'jobs',
  })
  boss.on('error', (error: Error) => log.error({ message: error.message }, 'the jobs complain'))
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
