import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type Address, clientConfig, connect, type Database } from '#server/db/connect.ts'
import { silentLog } from './silent-log.ts'
import { inDatabase } from './test-server.ts'

// A busy machine is not an outage.
const connectTimeoutMs = 15_000

export type TestDatabase = Database & { address: Address }

type Options = {
  /** The maximum number of connections in the pool. */
  max?: number
  /** True creates the database without any table. */
  empty?: boolean
  /** The database to copy instead of the migrated template. Nothing may be connected to it. */
  template?: string
}

/** A database of its own, migrated, for one test file; `close` drops it, and the end of the run drops what was left open. */
export async function createTestDatabase({ max = 10, empty = false, template }: Options = {}): Promise<TestDatabase> {
  const server = inject('testServer')
  const { admin, app, prefix } = server
  const name = `${prefix}_${randomBytes(6).toString('hex')}`
  await asAdmin(admin, (client) =>
    client.query(createStatement(name, template ?? (empty ? 'template0' : server.template))),
  )
  const address = inDatabase(app, name)
  const database = connect(address, { log: silentLog, max, connectTimeoutMs })
  return {
    ...database,
    address,
    close: async () => {
      await database.close()
      await asAdmin(admin, (client) => client.query(`drop database ${name} with (force)`))
    },
  }
}

/**
 * The name of a database that `fill` has filled for all test files of a run. The first file that needs it creates it, and the others wait.
 * Its tables are migrated before `fill` is called.
 */
export async function sharedTemplate(label: string, fill: (database: Database) => Promise<void>): Promise<string> {
  const { admin, app, prefix, template } = inject('testServer')
  const name = `${prefix}_${label}`
  await asAdmin(admin, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const { rows } = await client.query('select from pg_database where datname = $1', [name])
    if (rows.length > 0) return
    const unfinished = `${name}_unfinished`
    await client.query(`drop database if exists ${unfinished} with (force)`)
    await client.query(createStatement(unfinished, template))
    const database = connect(inDatabase(app, unfinished), { log: silentLog, max: 2, connectTimeoutMs })
    await fill(database).finally(database.close)
    await client.query(`alter database ${unfinished} rename to ${name}`)
  })
  return name
}

function createStatement(name: string, template: string): string {
  const { owner } = inject('testServer')
  return `create database ${name} template ${template} ${owner ? `owner ${owner}` : ''} strategy file_copy`
}

/** Runs `work` with a connection of the superuser; its end releases all locks. */
async function asAdmin(admin: Address, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ ...clientConfig(admin, connectTimeoutMs), statement_timeout: 0 })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
