import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { type Listener, type ListenOptions, listen } from '../live/notify.ts'
import { startEmbedded } from '../postgres/embedded.ts'
import { clientConfig, connect, type Database } from './connect.ts'
import { migrate } from './migrate.ts'
import { migrateAsOwner } from './owner-role.ts'
import { assertRoleSettings, setRoleSettings } from './pooler.ts'
import { Replica } from './replica.ts'

export type OpenDatabase = Database & {
  listen: (listening: Omit<ListenOptions, 'connection'>) => Promise<Listener>
  replica: Replica | undefined
  /** The configuration for separate connections to the server itself, without a pooler. */
  connection: pg.ClientConfig
}

/**
 * Opens the installation's database: that of `DATABASE_URL`, or else the embedded server in `DATA_DIR`. Migrates it with the files in the folder `migrations`;
 * without a folder, the schema is not changed. Throws an error with a message for the operator.
 */
export async function openDatabase(config: Config, log: Logger, migrations?: string): Promise<OpenDatabase> {
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbedded({ dataDir: config.dataDir, log, processes: config.processes })
      : undefined
  const address = config.databaseUrl ?? embedded!.connection
  const pooled = config.databaseDirectUrl !== undefined
  const direct = config.databaseDirectUrl ?? address
  const database = connect(address, { log, pooled })
  const owner = config.databaseOwnerUrl
  try {
    if (owner && migrations) await migrateAsOwner(owner, database.pool, log, migrations)
    const asApp = owner ? undefined : migrations
    if (pooled) await prepareForPooler(direct, log, asApp)
    else if (asApp) await migrate(database.pool, asApp, log)
    if (pooled) await assertRoleSettings(database.pool)
  } catch (error) {
    await database.close()
    await embedded?.stop()
    throw error
  }
  const replica =
    config.databaseReplicaUrl === undefined
      ? undefined
      : connect(config.databaseReplicaUrl, { log, connectTimeoutMs: 500 })
  return {
    ...database,
    expectEnd: () => {
      for (const each of [database, replica]) each?.expectEnd()
    },
    replica: replica && new Replica(database.db, replica.db, log),
    connection: clientConfig(direct),
    listen: (listening) => listen({ ...listening, connection: clientConfig(direct) }),
    close: async () => {
      await Promise.all([database.close(), replica?.close()])
      await embedded?.stop()
    },
  }
}

/** Migrates and sets the role's settings on the server itself: a pooler cannot hold a lock or a setting for a whole session. */
async function prepareForPooler(
  direct: string | Parameters<typeof connect>[0],
  log: Logger,
  migrations?: string,
): Promise<void> {
  const { pool, close } = connect(direct, { log, max: 1 })
  try {
    if (migrations) await migrate(pool, migrations, log)
    await setRoleSettings(pool)
  } finally {
    await close()
  }
}
