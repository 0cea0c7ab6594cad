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

test('a job that is due runs once, however many processes there are, and stops with them', async () => {
  let runs = 0
  const told: string[] = []
  const started: Jobs[] = []
  onTestFinished(async () => {
    for (const each of started) await each.stop()
  })
  // Once a year by themselves: what runs here is what is put there by hand.
  const jobs = [
    { name: 'count', cron: '0 0 1 1 *', run: async () => runs++ },
    { name: 'fail', cron: '0 0 1 1 *', run: () => Promise.reject(new Error('no')) },
  ]
  const onRun = (name: string, isDone: boolean) => told.push(`${name} ${isDone ? 'done' : 'failed'}`)
  for (let process = 0; process < 3; process++)
    started.push(startJobs({ pool: database.pool, log: silentLog, jobs, onRun }))
  await Promise.all(started.map((each) => each.ready))
  await database.pool.query(`INSERT INTO jobs.job (name, retry_limit) VALUES ('count', 0), ('fail', 0)`)
  await expect.poll(() => runs, { timeout: 10_000 }).toBe(1)
  await expect.poll(() => told.toSorted(), { timeout: 10_000 }).toEqual(['count done', 'fail failed'])
  const { rows } = await database.pool.query(`SELECT name, cron FROM jobs.schedule`)
  expect(rows).toContainEqual({ name: 'count', cron: '0 0 1 1 *' })
})

test('jobs whose database is away at the start are in place when it is back', async () => {
  const proxy = await proxyTo(database.address)
  const away = connect(proxy.address, { log: silentLog })
  await proxy.close()
  const jobs = startJobs({
    pool: away.pool,
    log: silentLog,
    retryMs: 20,
    jobs: [{ name: 'later', cron: '0 0 1 1 *', run: async () => undefined }],
  })
  await proxy.listen()
  await jobs.ready
  const { rows } = await database.pool.query(`SELECT name FROM jobs.schedule WHERE name = 'later'`)
  expect(rows).toEqual([{ name: 'later' }])
  await jobs.stop()
  await away.close()
})
