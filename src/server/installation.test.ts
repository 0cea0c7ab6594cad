import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { runCli } from '../../test/harness/run-cli.ts'
import { dataFolder } from '../../test/harness/running-app.ts'
import { silentLog } from '../../test/harness/silent-log.ts'
import { inDatabase } from '../../test/harness/test-server.ts'
import { connect } from './db/connect.ts'
import { migrate } from './db/migrate.ts'
import { addressOf, claim, heldBecause, type Identity, identityOf, readOwnership } from './installation.ts'
import { startEmbedded } from './postgres/embedded.ts'

const live: Identity = { place: 'server:one', address: 'tv.example' }
async function database(): Promise<TestDatabase> {
  const created = await createTestDatabase()
  onTestFinished(() => created.close())
  return created
}

test('the first start claims the database, and all processes of the same installation are live', async () => {
  const { db } = await database()
  expect(await Promise.all([live, live, live].map((identity) => claim(db, identity)))).toEqual([null, null, null])
  expect(await readOwnership(db)).toMatchObject({ ...live, liveSince: expect.any(String), otherOpenedAt: null })
})

test('another installation on the same database is held and recorded; the live one stays live', async () => {
  const { db } = await database()
  await claim(db, live)
  expect(await claim(db, { place: 'server:two', address: 'copy.example' })).toBe('place')
  expect(await readOwnership(db)).toMatchObject({
    ...live,
    otherAddress: 'copy.example',
    otherOpenedAt: expect.any(String),
  })
  expect(await claim(db, live)).toBeNull()
})

test('the address is recorded when PUBLIC_URL is first set; from then on an installation with another address is held', async () => {
  const { db } = await database()
  expect(await claim(db, { place: live.place, address: null })).toBeNull()
  expect(await claim(db, live)).toBeNull()
  for (const address of ['copy.example', null]) expect(await claim(db, { place: live.place, address })).toBe('address')
  expect(await claim(db, live)).toBeNull()
})

test('only host names identify an installation; localhost and IP addresses do not', () => {
  const urls = ['https://tv.example/', 'http://localhost:3000', 'http://10.7.0.2:3000', 'https://[2001:db8::1]']
  expect(urls.map(addressOf)).toEqual(['tv.example', null, null, null])
})

test('a copy of the database on the same server has another identity and is held', async () => {
  const { db, pool } = await createTestDatabase()
  const settings = { databaseUrl: 'postgres://…', dataDir: '/nowhere', publicUrl: 'https://tv.example' }
  const identity = await identityOf(db, settings)
  expect(await claim(db, identity)).toBeNull()
  const { app, admin, owner, prefix } = inject('testServer')
  const [name, source] = [`${prefix}_copy`, (await pool.query('select current_database() as name')).rows[0].name]
  const server = connect(admin, { log: silentLog, max: 1 })
  // A database in use cannot be copied.
  await pool.end()
  await server.pool.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [source])
  await server.pool.query(`create database ${name} template ${source} ${owner ? `owner ${owner}` : ''}`)
  const copy = connect(inDatabase(app, name), { log: silentLog, max: 2 })
  try {
    const own = await identityOf(copy.db, settings)
    expect(own.place).not.toBe(identity.place)
    expect(await claim(copy.db, own)).toBe('place')
  } finally {
    await copy.close()
    for (const each of [name, source]) await server.pool.query(`drop database ${each} with (force)`)
    await server.close()
  }
})

test('a copied data folder is held until `go-live`; the original stays live', async () => {
  const [original, copied] = [dataFolder(), dataFolder()]
  const publicUrl = 'http://localhost:3000'
  const opened = async (dataDir: string) => {
    const embedded = await startEmbedded({ dataDir, log: silentLog })
    const { pool, db, close } = connect(embedded.connection, { log: silentLog, max: 2 })
    await migrate(pool, join(import.meta.dirname, '../../migrations'))
    const identity = await identityOf(db, { databaseUrl: undefined, dataDir, publicUrl })
    const held = await claim(db, identity)
    return {
      held,
      isHeld: async () => heldBecause(identity, await readOwnership(db)) !== null,
      noted: async () => (await db.execute(sql`select action, actor_id from audit_log`)).rows,
      close: async () => {
        await close()
        await embedded.stop()
      },
    }
  }
  try {
    const first = await opened(original.path)
    await first.close()
    execFileSync('cp', ['-a', `${original.path}/.`, copied.path])
    const copy = await opened(copied.path)
    expect([first.held, copy.held, await copy.isHeld()]).toEqual([null, 'place', true])
    expect(await runCli(copied.path, 'go-live')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('This installation is now live.'),
    })
    expect(await runCli(copied.path, 'go-live')).toMatchObject({
      status: 0,
      stdout: 'This installation is already live.\n',
    })
    expect([await copy.isHeld(), await copy.noted()]).toEqual([
      false,
      [{ action: 'installation.go_live', actor_id: null }],
    ])
    await copy.close()
    const again = await opened(original.path)
    expect(again.held).toBeNull()
    await again.close()
  } finally {
    original.remove()
    copied.remove()
  }
}, 60_000)
