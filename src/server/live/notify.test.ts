import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { createUser } from '../../../test/harness/factories.ts'
import { clientConfig } from '../db/connect.ts'
import { endSession, endSessionsOf, openSession } from '../session/session.ts'
import { type Listener, listen, notifyAdmins, notifyCatalogue, notifyUser } from './notify.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

let listener: Listener | undefined
afterEach(() => listener?.close())

async function hearing(heartbeatMs?: number) {
  const heard: unknown[] = []
  const reconnected = vi.fn()
  listener = await listen({
    connection: clientConfig(database.address),
    onUser: (userId, endpoints) => heard.push({ userId, endpoints }),
    onAdmins: (endpoints) => heard.push({ admins: endpoints }),
    onCatalogue: () => heard.push('catalogue'),
    onReconnect: reconnected,
    heartbeatMs,
  })
  return { heard, reconnected }
}
const endListeners = () =>
  database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sauce listener' and datname = current_database()",
  )

describe('nothing is heard', () => {
  test('of a transaction that was rolled back', async () => {
    const { heard } = await hearing()
    const failing = database.db.transaction(async (tx) => {
      await notifyUser(tx, 1, ['GET /api/user'])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await notifyCatalogue(database.db)
    await vi.waitFor(() => expect(heard).toEqual(['catalogue']))
  })

  test('of what is no message of ours', async () => {
    const { heard } = await hearing()
    for (const payload of [
      '',
      'no json',
      '{}',
      '{"to":"user","userId":"1","endpoints":[]}',
      '{"to":"nobody"}',
      '[]',
      'null',
    ])
      await database.pool.query('select pg_notify($1, $2)', ['sauce', payload])
    await notifyCatalogue(database.db)
    await vi.waitFor(() => expect(heard).toEqual(['catalogue']))
  })
})

test('what a committed transaction said is heard, in its order', async () => {
  const { heard } = await hearing()
  await database.db.transaction(async (tx) => {
    await notifyUser(tx, 7, ['GET /api/user', 'GET /api/invoices'])
    await notifyAdmins(tx, ['GET /api/admin/invoices'])
    await notifyCatalogue(tx)
    expect(heard).toEqual([])
  })
  await vi.waitFor(() =>
    expect(heard).toEqual([
      { userId: 7, endpoints: ['GET /api/user', 'GET /api/invoices'] },
      { admins: ['GET /api/admin/invoices'] },
      'catalogue',
    ]),
  )
})

test('a transaction says everything in one statement at its end, and nothing that a savepoint took back', async () => {
  const { heard } = await hearing()
  const query = vi.spyOn(pg.Client.prototype, 'query')
  await database.db.transaction(async (tx) => {
    await notifyUser(tx, 7, ['GET /api/user'])
    await notifyAdmins(tx, ['GET /api/admin/users'])
    const undone = tx.transaction(async (savepoint) => {
      await notifyUser(savepoint, 8, ['GET /api/user'])
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    expect(query.mock.calls.filter(([text]) => JSON.stringify(text).includes('pg_notify'))).toHaveLength(1)
    await notifyCatalogue(tx)
  })
  const said = query.mock.calls.filter(([text]) => JSON.stringify(text).includes('pg_notify'))
  query.mockRestore()
  expect(said).toHaveLength(2)
  await vi.waitFor(() =>
    expect(heard).toEqual([
      { userId: 7, endpoints: ['GET /api/user'] },
      { admins: ['GET /api/admin/users'] },
      'catalogue',
    ]),
  )
})

test('the end of sessions is heard as a message without endpoints', async () => {
  const user = await createUser(database.db)
  const token = await openSession(database.db, user, { ip: '127.0.0.1', userAgent: 'test' })
  const { heard } = await hearing()
  await endSession(database.db, token)
  await endSession(database.db, token)
  await database.db.transaction((tx) => endSessionsOf(tx, user.id))
  await vi.waitFor(() =>
    expect(heard).toEqual([
      { userId: user.id, endpoints: [] },
      { userId: user.id, endpoints: [] },
    ]),
  )
})

test('a lost connection is made anew, and said so, since messages were lost', async () => {
  const { heard, reconnected } = await hearing()
  for (let time = 1; time <= 2; time++) {
    await endListeners()
    await vi.waitFor(() => expect(reconnected).toHaveBeenCalledTimes(time), 5_000)
  }
  await notifyCatalogue(database.db)
  await vi.waitFor(() => expect(heard).toEqual(['catalogue']))
})

test('a connection that no longer answers is given up', async () => {
  const { reconnected } = await hearing(20)
  const query = vi
    .spyOn(pg.Client.prototype, 'query')
    .mockImplementationOnce((() => Promise.reject(new Error('Query read timeout'))) as never)
  await vi.waitFor(() => expect(reconnected).toHaveBeenCalledTimes(1), 5_000)
  query.mockRestore()
})

test('closing leaves no connection behind and does not listen again', async () => {
  const { reconnected } = await hearing()
  await listener!.close()
  listener = undefined
  await vi.waitFor(async () => {
    const { rows } = await database.pool.query(
      "select 1 from pg_stat_activity where application_name = 'sauce listener' and datname = current_database()",
    )
    expect(rows).toEqual([])
  })
  expect(reconnected).not.toHaveBeenCalled()
})

test('listening fails at once where there is no database', async () => {
  const nowhere = {
    connection: { host: '127.0.0.1', port: 1 },
    onUser: () => {},
    onCatalogue: () => {},
    onReconnect: () => {},
  }
  await expect(listen(nowhere)).rejects.toThrow(/ECONNREFUSED/)
})
