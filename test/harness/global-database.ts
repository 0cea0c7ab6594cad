import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { clientConfig, connect, type Db } from '#server/db/connect.ts'
import { migrate } from '#server/db/migrate.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { fakedServerClock } from './faked-clock.ts'
import { silentLog } from './silent-log.ts'
import { createTestFolder, removeAbandonedFolders } from './test-folder.ts'
import { inDatabase, type TestServer } from './test-server.ts'

/** Runs once on the migrated template; every test database starts with the rows that it writes. */
const seedTemplate: (db: Db) => Promise<void> = async () => {}

// Test data need not survive a power failure, and syncing to disk is slow. No file lives long enough to need autovacuum, which would compute
// statistics of large tables again at random times.
const fastUnsafeSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  max_connections: '200',
}

/** One server and one migrated template for all tests of a run. `TEST_DATABASE_URL` names a running server to use instead (PostgreSQL 15 or newer). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const configuredUrl = process.env.TEST_DATABASE_URL
  const server = configuredUrl
    ? { admin: configuredUrl, app: configuredUrl, owner: undefined, stop: async () => {} }
    : await startOwnServer()
  const prefix = `test_${randomBytes(4).toString('hex')}`
  const template = `${prefix}_template`
  const admin = new pg.Client(clientConfig(server.admin, 15_000))
  const teardown = async () => {
    const { rows } = await admin.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefix],
    )
    for (const { datname } of configuredUrl ? rows : []) await admin.query(`drop database ${datname} with (force)`)
    await admin.end()
    await server.stop()
  }
  await admin.connect()
  try {
    await admin.query(`create database ${template} ${server.owner ? `owner ${server.owner}` : ''}`)
    const database = connect(inDatabase(server.app, template), { log: silentLog, max: 2 })
    await migrate(database.pool, join(import.meta.dirname, '../../migrations'))
    await seedTemplate(database.db)
    await database.close()
  } catch (error) {
    await teardown()
    throw error
  }
  const { admin: adminAddress, app, owner } = server
  project.provide('testServer', { admin: adminAddress, app, owner, template, prefix })
  return teardown
}

async function startOwnServer(): Promise<Pick<TestServer, 'admin' | 'app' | 'owner'> & { stop: () => Promise<void> }> {
  await removeAbandonedFolders()
  const dataDir = createTestFolder()
  const embedded = await startEmbedded({
    dataDir,
    log: silentLog,
    settings: fastUnsafeSettings,
    durable: false,
    env: fakedServerClock,
  })
  const stop = async () => {
    await embedded.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { admin: embedded.admin, app: embedded.connection, owner: embedded.connection.user, stop }
}
