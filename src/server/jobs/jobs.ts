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
  /** Returns a query with a column `at`, the times at which the job will have work to do. For the CLI command `jobs`. */
  dueDates?: () => Promise<SQL> | SQL
}
/** `ready` resolves when the jobs are set up, or when `stop` is called before that. It never rejects. */
export type Jobs = { ready: Promise<void>; stop: () => Promise<void> }
type Options = {
  pool: pg.Pool
  log: Pick<Logger, 'error' | 'info'>
  jobs: Job[]
  retryMs?: number
  /** How often to look for due jobs. By default every 5 seconds: jobs are due at most once a minute, and every process polls. */
  pollMs?: number
  onRun?: (name: string, isDone: boolean) => void
}

/** All jobs share one queue: each process would otherwise poll a queue for each of them. */
const queue = 'scheduled'
const defaultPollMs = 5_000
/** The maximum number of due jobs that one process fetches at a time. */
const batchSize = 50
/** The delay between starting two jobs. Without it, jobs due in the same minute could occupy all connections of the pool. */
const betweenStartsMs = 15
const stopPatienceMs = 5_000

/** Runs every job by its cron schedule (UTC), each run in one process only. Retries the setup until the database is available. */
export function startJobs(options: Options): Jobs {
  const stopping = new AbortController()
  const { signal } = stopping
  const wait = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined)
  let running: { boss: PgBoss; ended: Promise<void> } | undefined
  const setUpWithRetries = async () => {
    while (!running && !signal.aborted) {
      const boss = await setUp(options).catch(
        (error: Error) => void options.log.error({ message: error.message }, 'job queue setup failed, retrying'),
      )
      if (boss) running = { boss, ended: runDueJobs(boss, options, signal) }
      else await wait(options.retryMs ?? 5_000)
    }
  }
  const ready = setUpWithRetries()
  return {
    ready,
    stop: async () => {
      stopping.abort()
      await ready
      if (!running) return
      await Promise.race([running.ended, pause(stopPatienceMs, undefined, { ref: false })])
      await running.boss.stop({ graceful: false })
    },
  }
}

async function setUp({ pool, log, jobs }: Options): Promise<PgBoss> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values as unknown[]) },
    schema: 'jobs',
  })
  boss.on('error', (error: Error) => log.error({ message: error.message }, 'job queue error'))
  try {
    await boss.start()
    await boss.createQueue(queue, { retryLimit: 0 })
    await removeUnused(boss, jobs)
    for (const { name, cron } of jobs) await boss.schedule(queue, cron, { job: name }, { tz: 'UTC', key: name })
    return boss
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined)
    throw error
  }
}

/** Removes the schedules of jobs that no longer exist, and the queues of releases that had one for each job. */
async function removeUnused(boss: PgBoss, jobs: Job[]): Promise<void> {
  for (const { name, key } of await boss.getSchedules())
    if (name !== queue || !jobs.some((job) => job.name === key)) await boss.unschedule(name, key)
  for (const { name } of await boss.getQueues())
    if (name !== queue && !name.startsWith('__')) await boss.deleteQueue(name)
}

/**
 * Polls for due jobs until `signal` is aborted, then waits for those still running. A long job does not delay the others; a job whose previous
 * run has not ended in this process is skipped.
 */
async function runDueJobs(boss: PgBoss, options: Options, signal: AbortSignal): Promise<void> {
  const running = new Map<string, Promise<void>>()
  const { pollMs = defaultPollMs } = options
  const reportError = (error: Error) => void options.log.error({ message: error.message }, 'job queue error')
  while (!signal.aborted) {
    const due = (await boss.fetch<{ job: string }>(queue, { batchSize }).catch(reportError)) ?? []
    for (const { id, data } of due) {
      if (running.has(data.job)) await boss.complete(queue, id, { skipped: true }).catch(reportError)
      else {
        const run = runJob(options, data.job)
          .then((outcome) => ('error' in outcome ? boss.fail(queue, id, outcome) : boss.complete(queue, id, outcome)))
          .then(() => undefined, reportError)
          .finally(() => running.delete(data.job))
        running.set(data.job, run)
        await pause(betweenStartsMs)
      }
    }
    if (due.length < batchSize) await pause(pollMs, undefined, { signal }).catch(() => undefined)
  }
  await Promise.all(running.values())
}

async function runJob(
  { jobs, log, onRun = () => {} }: Options,
  name: string,
): Promise<{ result: unknown } | { error: string }> {
  try {
    const job = jobs.find((each) => each.name === name)
    if (!job) throw new Error('This release has no such job.')
    const result = await job.run()
    onRun(name, true)
    if (result) log.info({ job: name, result }, 'job done')
    return { result }
  } catch (error) {
    const { message } = error as Error
    log.error({ job: name, message }, 'job failed')
    onRun(name, false)
    return { error: message }
  }
}
