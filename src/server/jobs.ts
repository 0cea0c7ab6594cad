import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

/** Something time causes. `run` may happen twice and in several processes: it finds its work in the tables and is done when there is none. */
export type Job = { name: string; cron: string; run: () => Promise<unknown> }
export type Jobs = { stop: () => Promise<void> }

/**
 * Runs every job at its times (cron, UTC), each in one process however many run. A database that is away is waited for.
 * Resolves when the jobs are in place; throws when they cannot be set up.
 */
export async function startJobs({ pool, log, jobs }: { pool: pg.Pool; log: Pick<Logger, 'error' | 'info'>; jobs: Job[] }): Promise<Jobs> {
  const boss = new PgBoss({ db: { executeSql: (text, values) => pool.query(text, values as unknown[]) }, schema: 'jobs' })
  boss.on('error', (error: Error) => log.error({ message: error.message }, 'the jobs complain'))
  await boss.start()
  for (const { name, cron, run } of jobs) {
    await boss.createQueue(name, { retryLimit: 0 })
    await boss.work(name, async () => {
      const result = await run()
      if (result) log.info({ job: name, result }, 'job done')
    })
    await boss.schedule(name, cron, null, { tz: 'UTC' })
  }
  return { stop: () => boss.stop({ graceful: true, timeout: 5_000 }) }
}
