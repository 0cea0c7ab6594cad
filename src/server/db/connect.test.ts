import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { proxyTo, type TestProxy } from '../../../test/harness/proxy.ts'
import { silentLog } from '../../../test/harness/silent-log.ts'
import { connect, type Database, isUnavailable } from './connect.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.pool.query('create table entries (id integer primary key)')
})
afterAll(() => database.close())

describe('an unavailable database', () => {
  test('that refuses connections fails queries, drizzle and transactions as unavailable', async () => {
    const { pool, db, proxy } = await viaProxy()
    await proxy.close()
    expect(await failure(pool.query('select 1'))).toSatisfy(isUnavailable)
    expect(await failure(db.execute(sql`select 1`))).toSatisfy(isUnavailable)
    expect(await failure(db.transaction(async (tx) => tx.execute(sql`select 1`)))).toSatisfy(isUnavailable)
  })

  test('that stops during a query and a transaction fails both, and the process continues', async () => {
    const { pool, db, proxy } = await viaProxy()
    const query = failure(pool.query('select pg_sleep(60)'))
    const [begun, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const transaction = failure(
      db.transaction(async (tx) => {
        await tx.execute(sql`insert into entries values (1)`)
        begun.resolve()
        await gone.promise
        await tx.execute(sql`insert into entries values (2)`)
      }),
    )
    await begun.promise
    await proxy.close()
    gone.resolve()
    expect(await query).toSatisfy(isUnavailable)
    expect(await transaction).toSatisfy(isUnavailable)
    await proxy.listen()
    expect((await pool.query('select count(*)::int as count from entries')).rows).toEqual([{ count: 0 }])
  })

  test('that freezes fails running and new queries, and works again afterwards', async () => {
    const { pool, db, proxy } = await viaProxy()
    await Promise.all([pool.query('select 1'), pool.query('select 1')])
    proxy.freeze()
    expect(await failure(pool.query('select 1'))).toSatisfy(isUnavailable)
    expect(await failure(db.transaction(async (tx) => tx.execute(sql`select 1`)))).toSatisfy(isUnavailable)
    proxy.thaw()
    await expectAvailable(pool)
  })

  test('is also one that cannot be connected to for lack of file descriptors', () => {
    const lack = Object.assign(new Error('connect EMFILE /run/postgresql'), { code: 'EMFILE', syscall: 'connect' })
    expect(new Error('Failed query', { cause: lack })).toSatisfy(isUnavailable)
  })

  test('does not keep the connection of a transaction that could not begin', async () => {
    const { pool, db, proxy } = await viaProxy(2)
    await Promise.all([pool.query('select 1'), pool.query('select 1')])
    proxy.freeze()
    const attempts = [1, 2, 3, 4].map(() => failure(db.transaction(async (tx) => tx.execute(sql`select 1`))))
    for (const error of await Promise.all(attempts)) expect(error).toSatisfy(isUnavailable)
    proxy.thaw()
    await expectAvailable(pool)
    expect(await Promise.all([1, 2, 3, 4].map(() => db.transaction(async () => 'done')))).toEqual([
      'done',
      'done',
      'done',
      'done',
    ])
    // A connection whose query has stopped waiting for it joins the pool once it is open.
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0)
  })
})

test('lost connections are logged until the process is about to end', async () => {
  const logged: unknown[] = []
  const { pool, expectEnd, close } = connect(database.address, {
    log: { warn: (...line: unknown[]) => void logged.push(line) },
    max: 3,
  })
  onTestFinished(close)
  const terminated = async () => {
    const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()])
    const pids = await Promise.all(
      clients.map(async (client) => (await client.query('select pg_backend_pid() as pid')).rows[0].pid as number),
    )
    for (const client of clients) client.release()
    await database.pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [pids])
    await expect.poll(() => pool.totalCount).toBe(0)
  }
  await terminated()
  expect(logged).toHaveLength(3)
  expectEnd()
  await terminated()
  expect(logged).toHaveLength(3)
})

describe('an available database', () => {
  test('is not reported as unavailable after an invalid statement', async () => {
    const { pool } = database
    await pool.query('insert into entries values (7)')
    for (const wrong of ['insert into entries values (7)', 'select * from nowhere', 'select 1/0']) {
      expect(await failure(pool.query(wrong))).not.toSatisfy(isUnavailable)
    }
    expect(isUnavailable(new Error('something else'))).toBe(false)
    expect(
      isUnavailable(
        new Error('Failed query', { cause: Object.assign(new Error('deadlock detected'), { code: '40P01' }) }),
      ),
    ).toBe(true)
    expect(isUnavailable(undefined)).toBe(false)
  })

  test('may run a slow query', async () => {
    const { pool } = await viaProxy()
    expect((await pool.query('select pg_sleep(2.5)')).rowCount).toBe(1)
  })

  test('is reported as unavailable to a query that waits too long for a free connection', async () => {
    const { pool } = await viaProxy(1)
    const busy = await pool.connect()
    expect(await failure(pool.query('select 1'))).toSatisfy(isUnavailable)
    busy.release()
    expect((await pool.query('select 1')).rowCount).toBe(1)
  })

  test('rolls back a transaction whose work throws, and its connection returns to the pool', async () => {
    const { pool, db } = await viaProxy(1)
    const work = db.transaction(async (tx) => {
      await tx.execute(sql`insert into entries values (8)`)
      throw new Error('changed my mind')
    })
    await expect(work).rejects.toThrow('changed my mind')
    expect((await pool.query('select * from entries where id = 8')).rowCount).toBe(0)
    expect(pool.idleCount).toBe(1)
  })

  test('uses the time zone UTC', async () => {
    expect((await database.pool.query(`select current_setting('TimeZone') as zone`)).rows).toEqual([{ zone: 'UTC' }])
  })
})

async function viaProxy(max = 5): Promise<Database & { proxy: TestProxy }> {
  const proxy = await proxyTo(database.address)
  const through = connect(proxy.address, { log: silentLog, max })
  onTestFinished(through.close)
  return { ...through, proxy }
}

/** Waits until a query succeeds: on a busy machine the first connections after an interruption may take longer than a query waits. */
const expectAvailable = (pool: Database['pool']) =>
  expect
    .poll(
      () =>
        pool.query('select 1 as one').then(
          ({ rows }) => rows,
          () => [],
        ),
      { timeout: 20_000 },
    )
    .toEqual([{ one: 1 }])

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it succeeded',
    (error) => error,
  )
