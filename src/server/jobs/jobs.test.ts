import { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { proxyTo } from '../../../test/harness/proxy.ts'
import { silentLog } from '../../../test/harness/silent-log.ts'
import { connect } from '../db/connect.ts'
import { type Jobs, startJobs } from './jobs.ts'

const pollMs = 200
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

test('a due job runs once, even with several processes', async () => {
  let runs = 0
  const runsReported: string[] = []
  const started: Jobs[] = []
  onTestFinished(async () => {
    for (const each of started) await each.stop()
  })
  // Scheduled once a year, so only the jobs inserted below run.
  const jobs = [
    { name: 'count', cron: '0 0 1 1 *', run: async () => runs++ },
    { name: 'fail', cron: '0 0 1 1 *', run: () => Promise.reject(new Error('no')) },
  ]
  const onRun = (name: string, isDone: boolean) => runsReported.push(`${name} ${isDone ? 'done' : 'failed'}`)
  for (let process = 0; process < 3; process++)
    started.push(startJobs({ pool: database.pool, log: silentLog, pollMs, jobs, onRun }))
  await Promise.all(started.map((each) => each.ready))
  await makeDue('count', 'fail', 'gone')
  await expect.poll(() => runs, { timeout: 10_000 }).toBe(1)
  await expect
    .poll(() => runsReported.toSorted(), { timeout: 10_000 })
    .toEqual(['count done', 'fail failed', 'gone failed'])
  const { rows } = await database.pool.query(`SELECT key, cron FROM jobs.schedule`)
  expect(rows).toContainEqual({ key: 'count', cron: '0 0 1 1 *' })
  const outcomes = `SELECT data ->> 'job' AS job, state::text, output FROM jobs.job WHERE name = 'scheduled' ORDER BY 1`
  await expect
    .poll(async () => (await database.pool.query(outcomes)).rows, { timeout: 10_000 })
    .toEqual([
      { job: 'count', state: 'completed', output: { result: 0 } },
      { job: 'fail', state: 'failed', output: { error: 'no' } },
      { job: 'gone', state: 'failed', output: { error: 'This release has no such job.' } },
    ])
})

test('a long job does not delay other jobs, and is not started again in the same process before it has ended', async () => {
  let isLongEnded = false
  let endLong = () => {}
  const runsReported: string[] = []
  const jobs = startJobs({
    pool: database.pool,
    log: silentLog,
    pollMs,
    jobs: [
      { name: 'long', cron: '0 0 1 1 *', run: () => new Promise<void>((resolve) => (endLong = resolve)) },
      { name: 'short', cron: '0 0 1 1 *', run: async () => undefined },
    ],
    onRun: (name) => runsReported.push(name),
  })
  onTestFinished(async () => {
    if (!isLongEnded) endLong()
    await jobs.stop()
  })
  await jobs.ready
  await makeDue('long', 'long', 'short')
  await expect.poll(() => runsReported, { timeout: 10_000 }).toEqual(['short'])
  const skipped = `SELECT count(*)::int AS count FROM jobs.job WHERE data ->> 'job' = 'long' AND output = '{"skipped": true}'`
  await expect.poll(async () => (await database.pool.query(skipped)).rows, { timeout: 10_000 }).toEqual([{ count: 1 }])
  isLongEnded = true
  endLong()
  await expect.poll(() => runsReported, { timeout: 10_000 }).toEqual(['short', 'long'])
})

test('schedules and queues of an earlier release are removed', async () => {
  const earlier = new PgBoss({
    db: { executeSql: (text, values) => database.pool.query(text, values) },
    schema: 'jobs',
  })
  await earlier.start()
  await earlier.createQueue('queue-of-one-job')
  await earlier.schedule('queue-of-one-job', '* * * * *')
  await earlier.stop({ graceful: false })
  const jobs = startJobs({
    pool: database.pool,
    log: silentLog,
    jobs: [{ name: 'kept', cron: '0 0 1 1 *', run: async () => undefined }],
  })
  onTestFinished(jobs.stop)
  await jobs.ready
  const { rows: schedules } = await database.pool.query('SELECT name, key FROM jobs.schedule')
  expect(schedules).toEqual([{ name: 'scheduled', key: 'kept' }])
  const { rows: queues } = await database.pool.query(`SELECT name FROM jobs.queue WHERE name NOT LIKE '\\_\\_%'`)
  expect(queues).toEqual([{ name: 'scheduled' }])
})

test('jobs are set up once the database is available, if it was not at the start', async () => {
  const proxy = await proxyTo(database.address)
  const unavailable = connect(proxy.address, { log: silentLog })
  await proxy.close()
  const jobs = startJobs({
    pool: unavailable.pool,
    log: silentLog,
    retryMs: 20,
    jobs: [{ name: 'later', cron: '0 0 1 1 *', run: async () => undefined }],
  })
  await proxy.listen()
  await jobs.ready
  const { rows } = await database.pool.query(`SELECT key FROM jobs.schedule WHERE key = 'later'`)
  expect(rows).toEqual([{ key: 'later' }])
  await jobs.stop()
  await unavailable.close()
})

/** Adds a due run of each job. */
async function makeDue(...names: string[]): Promise<void> {
  await database.pool.query(
    `INSERT INTO jobs.job (name, data, retry_limit) SELECT 'scheduled', json_build_object('job', job), 0 FROM unnest($1::text[]) job`,
    [names],
  )
}
