import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { silentLog } from '../../test/silent-log.ts'
import { type Jobs, startJobs } from './jobs.ts'

let database: TestDatabase
const started: Jobs[] = []
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  for (const jobs of started) await jobs.stop()
  await database.close()
})

test('a job that is due runs once, however many processes there are, and stops with them', async () => {
  let runs = 0
  const jobs = [{ name: 'count', cron: '* * * * *', run: async () => runs++ }]
  for (let process = 0; process < 3; process++) started.push(await startJobs({ pool: database.pool, log: silentLog, jobs }))
  await database.pool.query(`INSERT INTO jobs.job (name) VALUES ('count')`)
  await expect.poll(() => runs, { timeout: 10_000 }).toBe(1)
  const { rows } = await database.pool.query(`SELECT name, cron FROM jobs.schedule`)
  expect(rows).toEqual([{ name: 'count', cron: '* * * * *' }])
})
