import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { type Listener, type ListenOptions, listen } from '../live/notify.ts'
import { startEmbedded } from '../postgres/embedded.ts'
import { clientConfig, connect, type Database } from './connect.ts'
import { migrate } from './migrate.ts'
import { migrateAsOwner } from './owner-role.ts'
import { assertSettled, settleRole } from './pooler.ts'
import { Replica } from './replica.ts'

export type OpenDatabase = Database & {
  listen: (listening: Omit<ListenOptions, 'connection'>) => Promise<Listener>
  replica: Replica | undefined
}

/** The installation's database, migrated (without `migrations`: as it is): the server `DATABASE_URL` names, else the embedded one in `DATA_DIR`. Throws with a sentence for the operator. */
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
    const own = owner ? undefined : migrations
    if (pooled) await withDirect(direct, log, own)
    else if (own) await migrate(database.pool, own, log)
    if (pooled) await assertSettled(database.pool)
  } catch (error) {
    await database.close()
    await embedded?.stop()
    throw error
  }
  const followers =
    config.databaseReplicaUrl === undefined ? undefined : connect(config.databaseReplicaUrl, { log, patienceMs: 500 })
  return {
    ...database,
    expectEnd: () => {
      for (const each of [database, followers]) each?.expectEnd()
    },
    replica: followers && new Replica(database.db, followers.db, log),
    listen: (listening) => listen({ ...listening, connection: clientConfig(direct) }),
    close: async () => {
      await Promise.all([database.close(), followers?.close()])
      await embedded?.stop()
    },
  }
}

/** What holds a lock or a setting for a whole session goes around the pooler. */
async function withDirect(
  direct: string | Parameters<typeof connect>[0],
  log: Logger,
  migrations?: string,
): Promise<void> {
  const { pool, close } = connect(direct, { log, max: 1 })
  try {
    if (migrations) await migrate(pool, migrations, log)
    await settleRole(pool)
  } finally {
    await close()
  }
}
