import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { silentLog } from '../../../test/harness/silent-log.ts'
import { connect, type Database, type Db, type Tx } from './connect.ts'
import { prepared as mark, statementNames } from './prepared-statements.ts'

// The number of named statements is limited for each process: use a module that no other test file has used.
const unused = './prepared-statements.ts?unused'
const { PreparedClient } = (await import(unused)) as typeof import('./prepared-statements.ts')

let testDatabase: TestDatabase
let database: Database
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = connect(testDatabase.address, { log: silentLog, max: 1 })
  Object.assign(database.pool, { Client: PreparedClient })
  await database.pool.query('create table notes (id integer primary key, text varchar(20))')
  await database.pool.query(`insert into notes values (1, 'one'), (2, 'two')`)
})
afterAll(async () => {
  await database.close()
  await testDatabase.close()
})

const note = async (db: Db | Tx, id: number) =>
  (await db.execute(sql`select text from notes where id = ${id}`)).rows[0]?.text
const prepared = async (db: Db) =>
  (
    await db.execute(
      sql`select count(*)::int as count from pg_prepared_statements where statement = 'select text from notes where id = $1'`,
    )
  ).rows[0]!.count

test('a statement that transactions run often is prepared once', async () => {
  const { db } = database
  for (let i = 0; i < 6; i++)
    await db.transaction(async (tx) => expect(await note(tx, 1 + (i % 2))).toBe(i % 2 ? 'two' : 'one'))
  expect(await prepared(db)).toBe(1)
})

test('a connection with prepared statements that a migration has made invalid fails once and is closed', async () => {
  const { db, pool } = database
  await pool.query('alter table notes alter column text type varchar(40)')
  await pool.query('alter table notes alter column text type text')
  await expect(db.transaction((tx) => note(tx, 1))).rejects.toThrow()
  expect(await db.transaction((tx) => note(tx, 1))).toBe('one')
  expect(pool.totalCount).toBe(1)
})

test('statements outside of transactions, or through a pooler, are not prepared', async () => {
  const pooled = connect(testDatabase.address, { log: silentLog, max: 1, pooled: true })
  const plain = connect(testDatabase.address, { log: silentLog, max: 1 })
  try {
    for (let i = 0; i < 6; i++) {
      await pooled.db.transaction(async (tx) => expect(await note(tx, 2)).toBe('two'))
      expect(await note(plain.db, 2)).toBe('two')
    }
    expect(await prepared(pooled.db)).toBe(0)
    expect(await prepared(plain.db)).toBe(0)
  } finally {
    await pooled.close()
    await plain.close()
  }
})

test('a marked statement is prepared outside of transactions too, also without values', async () => {
  const { db } = database
  const marked = async () => (await db.execute(sql`${mark} select text from notes where id = 2`)).rows[0]?.text
  for (let i = 0; i < 6; i++) expect(await marked()).toBe('two')
  const { rows } = await db.execute(
    sql`select from pg_prepared_statements where statement like '% select text from notes where id = 2'`,
  )
  expect(rows).toHaveLength(1)
})

test('the number of named statements is limited', () => {
  const { nameOf } = statementNames(2, 2)
  const named = ['a', 'a', 'b', 'c', 'c', 'b', 'd', 'd', 'a', 'c', 'b'].map(nameOf)
  expect(named).toEqual([
    undefined,
    'often_0',
    undefined,
    undefined,
    'often_1',
    undefined,
    undefined,
    undefined,
    'often_0',
    'often_1',
    undefined,
  ])
  for (let i = 0; i < 1_000; i++) expect(nameOf(`text ${i}`)).toBeUndefined()
})
