import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { Counts, exactCountLimit } from './list-count.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const rows = (count: number) => sql`select from generate_series(1, ${count}::int)`

test('few rows are counted exactly while the request waits', async () => {
  expect(await new Counts().count(database.db, rows(exactCountLimit))).toEqual({ total: exactCountLimit })
})

test('the total of many rows is a minimum until they are counted in the background', async () => {
  const counts = new Counts()
  expect(await counts.count(database.db, rows(5_000))).toEqual({ total: exactCountLimit, isMinimum: true })
  await expect.poll(() => counts.count(database.db, rows(5_000))).toEqual({ total: 5_000 })
})

test('a request during the background count does not start another count', async () => {
  const counts = new Counts()
  const slow = sql`select from generate_series(1, 2000), lateral (select pg_sleep(0.0002)) as pause`
  await counts.count(database.db, slow)
  const execute = vi.spyOn(database.db, 'execute')
  expect(await counts.count(database.db, slow)).toEqual({ total: exactCountLimit, isMinimum: true })
  expect(execute).not.toHaveBeenCalled()
  execute.mockRestore()
  await expect.poll(() => counts.count(database.db, slow), { timeout: 15_000 }).toEqual({ total: 2_000 })
})
