import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { type Listener, type Listening, listen } from '../notify.ts'
import { clientConfig, connect, type Database } from './connect.ts'
import { startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'

export type OpenDatabase = Database & { listen: (listening: Omit<Listening, 'connection'>) => Promise<Listener> }

/** The installation's database, migrated (without `migrations`: as it is): the server `DATABASE_URL` names, else the embedded one in `DATA_DIR`. Throws with a sentence for the operator. */
export async function openDatabase(config: Config, log: Logger, migrations?: string): Promise<OpenDatabase> {
  const embedded = config.databaseUrl === undefined ? await startEmbedded({ dataDir: config.dataDir, log }) : undefined
  const address = config.databaseUrl ?? embedded!.connection
  const database = connect(address, { log })
  try {
    if (migrations) await migrate(database.pool, migrations, log)
  } catch (error) {
    await database.close()
    await embedded?.stop()
    throw error
  }
  return {
    ...database,
    listen: (listening) => listen({ ...listening, connection: clientConfig(address) }),
    close: async () => {
      await database.close()
      await embedded?.stop()
    },
  }
}
