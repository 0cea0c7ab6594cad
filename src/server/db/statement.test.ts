import { asc, eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { silentLog } from '../../../test/harness/silent-log.ts'
import { connect, type Db } from './connect.ts'
import { type Params, statement } from './statement.ts'
import { settings } from './tables.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ max: 1 })
})
afterAll(() => database.close())

let builds = 0
const readValue = statement('test_read_value', (db, { key }: Params<{ key: string }>) => {
  builds += 1
  return db.select({ value: settings.value }).from(settings).where(eq(settings.key, key))
})
const writeValue = statement('test_note_value', (db, { key, value }: Params<{ key: string; value: object }>) =>
  db
    .insert(settings)
    .values({ key, value })
    .onConflictDoUpdate({ target: settings.key, set: { value: sql`excluded.value` } }),
)
const prepared = async (db: Db) =>
  (await db.execute(sql`select count(*)::int as count from pg_prepared_statements where name = 'test_read_value'`))
    .rows[0]!.count

test('a statement is built and prepared once, and executed with new values, inside and outside of transactions', async () => {
  const { db } = database
  for (const n of [1, 2, 3]) {
    await db.transaction(async (tx) => {
      await writeValue(tx, { key: `noted ${n}`, value: { n } })
      expect(await readValue(tx, { key: `noted ${n}` })).toEqual([{ value: { n } }])
    })
  }
  expect(await readValue(db, { key: 'noted 2' })).toEqual([{ value: { n: 2 } }])
  expect(await readValue(db, { key: 'never noted' })).toEqual([])
  expect(builds).toBe(2)
  expect(await prepared(db)).toBe(1)
})

test('a statement is rolled back with its transaction, and runs again after a failed one', async () => {
  const { db } = database
  await expect(
    db.transaction(async (tx) => {
      await writeValue(tx, { key: 'undone', value: {} })
      await tx.execute(sql`select 1/0`)
    }),
  ).rejects.toThrow()
  expect(await readValue(db, { key: 'undone' })).toEqual([])
})

test('a statement is not prepared behind a pooler', async () => {
  const { db, close } = connect(database.address, { log: silentLog, max: 1, pooled: true })
  try {
    await writeValue(db, { key: 'pooled', value: { n: 4 } })
    expect(await db.transaction((tx) => readValue(tx, { key: 'pooled' }))).toEqual([{ value: { n: 4 } }])
    expect(await prepared(db)).toBe(0)
  } finally {
    await close()
  }
})

test('a statement takes a list as one parameter, so that its SQL text is constant', async () => {
  const { db } = database
  const several = statement('test_several', (tx, { keys }: Params<{ keys: string[] }>) =>
    tx
      .select({ key: settings.key })
      .from(settings)
      .where(sql`${settings.key} = any(${keys})`)
      .orderBy(asc(settings.key)),
  )
  expect(await several(db, { keys: ['noted 3', 'noted 1'] })).toEqual([{ key: 'noted 1' }, { key: 'noted 3' }])
  expect(await several(db, { keys: [] })).toEqual(
    await db.select({ key: settings.key }).from(settings).where(inArray(settings.key, [])),
  )
})
