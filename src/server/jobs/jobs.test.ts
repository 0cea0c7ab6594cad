import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { proxyTo } from '../../../test/harness/proxy.ts'
import { silentLog } from '../../../test/harness/silent-log.ts'
import { connect } from '../db/connect.ts'
import { type Jobs, startJobs } from './jobs.ts'

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
    started.push(startJobs({ pool: database.pool, log: silentLog, jobs, onRun }))
  await Promise.all(started.map((each) => each.ready))
  await database.pool.query(`INSERT INTO jobs.job (name, retry_limit) VALUES ('count', 0), ('fail', 0)`)
  await expect.poll(() => runs, { timeout: 10_000 }).toBe(1)
  await expect.poll(() => runsReported.toSorted(), { timeout: 10_000 }).toEqual(['count done', 'fail failed'])
  const { rows } = await database.pool.query(`SELECT name, cron FROM jobs.schedule`)
  expect(rows).toContainEqual({ name: 'count', cron: '0 0 1 1 *' })
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
  const { rows } = await database.pool.query(`SELECT name FROM jobs.schedule WHERE name = 'later'`)
  expect(rows).toEqual([{ name: 'later' }])
  await jobs.stop()
  await unavailable.close()
})
