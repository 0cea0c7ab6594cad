import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type Address, clientConfig, connect, type Database } from '#server/db/connect.ts'
import { silentLog } from './silent-log.ts'
import { inDatabase } from './test-server.ts'

// A busy machine is not an outage.
const patienceMs = 15_000

export type TestDatabase = Database & { address: Address }

/** Creates a migrated and seeded database for one test file. `close` drops it; the end of the run drops the remaining ones. */
export async function createTestDatabase({
  max = 10,
  empty = false,
}: {
  max?: number
  empty?: boolean
} = {}): Promise<TestDatabase> {
  const { admin, app, owner, template, prefix } = inject('testServer')
  const name = `${prefix}_${randomBytes(6).toString('hex')}`
  await asAdmin(
    admin,
    `create database ${name} template ${empty ? 'template0' : template} ${owner ? `owner ${owner}` : ''} strategy file_copy`,
  )
  const address = inDatabase(app, name)
  const database = connect(address, { log: silentLog, max, patienceMs })
  return {
    ...database,
    address,
    close: async () => {
      await database.close()
      await asAdmin(admin, `drop database ${name} with (force)`)
    },
  }
}

async function asAdmin(admin: Address, statement: string): Promise<void> {
  const client = new pg.Client(clientConfig(admin, patienceMs))
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
