import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { createUser } from '../../../test/harness/factories.ts'
import { clientConfig } from '../db/connect.ts'
import { endSession, endSessionsOf, openSession } from '../session/session.ts'
import { changed, type Listener, listen, notifyCatalog } from './notify.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

/** Waits for notifications, also on a busy machine. */
const waitFor = (check: () => unknown) => vi.waitFor(check, 15_000)

let listener: Listener | undefined
afterEach(() => listener?.close())

async function startListening(heartbeatMs?: number) {
  const received: unknown[] = []
  const reconnected = vi.fn()
  listener = await listen({
    connection: clientConfig(database.address),
    onChange: ({ topics, userId }) => received.push({ topics, ...(userId && { userId }) }),
    onSessionsChanged: (userId) => received.push({ sessionsOf: userId }),
    onCatalog: () => received.push('catalogue'),
    onReconnect: reconnected,
    heartbeatMs,
  })
  return { received, reconnected }
}
const endListeners = () =>
  database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sauce listener' and datname = current_database()",
  )

describe('no notification is delivered', () => {
  test('for a transaction that was rolled back', async () => {
    const { received } = await startListening()
    const failing = database.db.transaction(async (tx) => {
      await changed(tx, 'user', { user: 1 })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await notifyCatalog(database.db)
    await waitFor(() => expect(received).toEqual(['catalogue']))
  })

  test('for an invalid payload', async () => {
    const { received } = await startListening()
    for (const payload of [
      '',
      'no json',
      '{}',
      '{"to":"pages","topics":["user"],"userId":"1"}',
      '{"to":"pages","topics":["nothing"]}',
      '{"to":"nobody"}',
      '[]',
      'null',
    ])
      await database.pool.query('select pg_notify($1, $2)', ['sauce', payload])
    await notifyCatalog(database.db)
    await waitFor(() => expect(received).toEqual(['catalogue']))
  })
})

test('the notifications of a committed transaction are delivered in order', async () => {
  const { received } = await startListening()
  await database.db.transaction(async (tx) => {
    await changed(tx, ['invoice', 'credit'], { user: 7 })
    await changed(tx, 'setting')
    await notifyCatalog(tx)
    expect(received).toEqual([])
  })
  await waitFor(() =>
    expect(received).toEqual([{ topics: ['invoice', 'credit'], userId: 7 }, { topics: ['setting'] }, 'catalogue']),
  )
})

test('a transaction sends its notifications in one statement at its end, without those of a rolled-back savepoint', async () => {
  const { received } = await startListening()
  const query = vi.spyOn(pg.Client.prototype, 'query')
  await database.db.transaction(async (tx) => {
    await changed(tx, 'user', { user: 7 })
    await changed(tx, 'setting')
    const undone = tx.transaction(async (savepoint) => {
      await changed(savepoint, 'user', { user: 8 })
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    expect(query.mock.calls.filter(([text]) => JSON.stringify(text).includes('pg_notify'))).toHaveLength(1)
    await notifyCatalog(tx)
  })
  const notifyCalls = query.mock.calls.filter(([text]) => JSON.stringify(text).includes('pg_notify'))
  query.mockRestore()
  expect(notifyCalls).toHaveLength(2)
  await waitFor(() => expect(received).toEqual([{ topics: ['user'], userId: 7 }, { topics: ['setting'] }, 'catalogue']))
})

test('ending sessions sends a notification about the sessions of the user', async () => {
  const user = await createUser(database.db)
  const token = await openSession(database.db, user, { ip: '127.0.0.1', userAgent: 'test' })
  const { received } = await startListening()
  await endSession(database.db, token)
  await endSession(database.db, token)
  await database.db.transaction((tx) => endSessionsOf(tx, user.id))
  await waitFor(() => expect(received).toEqual([{ sessionsOf: user.id }, { sessionsOf: user.id }]))
})

test('a lost connection is reopened and reported, because notifications were lost', async () => {
  const { received, reconnected } = await startListening()
  for (let time = 1; time <= 2; time++) {
    await endListeners()
    await waitFor(() => expect(reconnected).toHaveBeenCalledTimes(time))
  }
  await notifyCatalog(database.db)
  await waitFor(() => expect(received).toEqual(['catalogue']))
})

test('an unresponsive connection is replaced', async () => {
  const { reconnected } = await startListening(20)
  const query = vi
    .spyOn(pg.Client.prototype, 'query')
    .mockImplementationOnce((() => Promise.reject(new Error('Query read timeout'))) as never)
  await waitFor(() => expect(reconnected).toHaveBeenCalledTimes(1))
  query.mockRestore()
})

test('closing ends the connection and prevents another one', async () => {
  const { reconnected } = await startListening()
  await listener!.close()
  listener = undefined
  await waitFor(async () => {
    const { rows } = await database.pool.query(
      "select 1 from pg_stat_activity where application_name = 'sauce listener' and datname = current_database()",
    )
    expect(rows).toEqual([])
  })
  expect(reconnected).not.toHaveBeenCalled()
})

test('listening rejects if there is no database', async () => {
  const nowhere = {
    connection: { host: '127.0.0.1', port: 1 },
    onChange: () => {},
    onSessionsChanged: () => {},
    onCatalog: () => {},
    onReconnect: () => {},
  }
  await expect(listen(nowhere)).rejects.toThrow(/ECONNREFUSED/)
})
