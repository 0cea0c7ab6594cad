import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import type { Tx } from './connect.ts'
import { inTransaction, violationOf } from './retry.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.pool.query('create table pots (id integer primary key, cents integer not null check (cents >= 0))')
})
beforeEach(async () => {
  await database.pool.query('truncate pots; insert into pots values (1, 0), (2, 0)')
})
afterAll(() => database.close())

test('a constraint violation is not retried and names the constraint', async () => {
  let tries = 0
  const error = await inTransaction(database.db, async (tx) => {
    tries++
    await tx.execute(sql`insert into pots values (1, 5)`)
  }).catch((error) => error)
  expect(tries).toBe(1)
  expect(violationOf(error)).toEqual({ code: '23505', constraint: 'pots_pkey' })
})

test('an error that the work throws is rethrown unchanged, and everything is rolled back', async () => {
  let tries = 0
  const work = inTransaction(database.db, async (tx) => {
    tries++
    await add(tx, 1, 5)
    throw new Error('no')
  })
  await expect(work).rejects.toThrow('no')
  expect(tries).toBe(1)
  expect(await cents()).toEqual([0, 0])
})

test('a conflict is retried at most twice', async () => {
  let tries = 0
  const error = await inTransaction(database.db, async (tx) => {
    tries++
    await tx.execute(sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`)
  }).catch((error) => error)
  expect(tries).toBe(3)
  expect(violationOf(error)?.code).toBe('40001')
})

test('two transactions that deadlock both succeed', async () => {
  const bothHoldOne = meeting(2)
  const move = (from: number, to: number) =>
    inTransaction(database.db, async (tx) => {
      await add(tx, from, 1)
      await bothHoldOne()
      await add(tx, to, 10)
    })
  await Promise.all([move(1, 2), move(2, 1)])
  expect(await cents()).toEqual([11, 11])
})

test('two serializable transactions that each read what the other writes both succeed', async () => {
  const bothRead = meeting(2)
  const copySum = (id: number) =>
    inTransaction(
      database.db,
      async (tx) => {
        const { rows } = await tx.execute<{ sum: string }>(sql`select sum(cents) + 1 as sum from pots`)
        await bothRead()
        await tx.execute(sql`update pots set cents = ${rows[0]!.sum} where id = ${id}`)
      },
      { isolationLevel: 'serializable' },
    )
  await Promise.all([copySum(1), copySum(2)])
  expect((await cents()).toSorted()).toEqual([1, 2])
})

test('an inner inTransaction rolls back only its own part, and only the outermost transaction is retried', async () => {
  let [outer, inner, conflicts] = [0, 0, 0]
  await inTransaction(database.db, async (tx) => {
    outer++
    await add(tx, 1, 3)
    await inTransaction(tx, async (part) => {
      inner++
      await add(part, 2, 3)
      throw new Error('only this part')
    }).catch(() => {})
    if (outer > 1) return
    await inTransaction(tx, async (part) => {
      conflicts++
      await part.execute(sql`do $$ begin raise exception 'again' using errcode = '40P01'; end $$`)
    })
  })
  expect([outer, inner, conflicts]).toEqual([2, 2, 1])
  expect(await cents()).toEqual([3, 0])
})

const add = (tx: Tx, id: number, amount: number) =>
  tx.execute(sql`update pots set cents = cents + ${amount} where id = ${id}`)

async function cents(): Promise<number[]> {
  const { rows } = await database.pool.query<{ cents: number }>('select cents from pots order by id')
  return rows.map((row) => row.cents)
}

/** Returns a function whose promise resolves once it has been called `count` times. */
function meeting(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let arrived = 0
  return () => {
    if (++arrived === count) resolve()
    return promise
  }
}
