import { randomBytes } from 'node:crypto'
import { type Config, readConfig } from '#server/config.ts'
import { type Address, connect, type Db } from '#server/db/connect.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import type { FakePanel } from './fake-panel.ts'
import { dataFolder, type RunningApp, runApp } from './running-app.ts'
import { silentLog } from './silent-log.ts'
import { urlOf } from './test-server.ts'
import { offerStreams, storeViewers } from './watch-installation.ts'

export type StreamApp = {
  app: RunningApp
  config: Config
  db: Db
  dataDir: string
  /** The ids of the channels, in the same order as `streams`. */
  channels: number[]
  viewers: (options: Parameters<typeof storeViewers>[3]) => ReturnType<typeof storeViewers>
  close: () => Promise<void>
}
type Options = {
  panel: FakePanel
  /** The streams of the panel for which channels are created. */
  streams: string[]
  /** The URL at which the app calls the panel; by default that of `panel`. */
  panelUrl?: string
  port?: number
  /** Pins the app and its database to one processor core. */
  core?: number | undefined
  /** The database to use instead of the app's own. */
  database?: Exclude<Address, string>
  env?: Record<string, string>
}

/**
 * Returns the environment variables of an app in which channels of a fake panel can be watched, with a new secret key. `others` must contain PANEL_URL, unless
 * it is set later.
 */
export const streamEnvironment = (others: Record<string, string> = {}): Record<string, string> => ({
  SECRET_KEY: randomBytes(32).toString('base64'),
  PANEL_ALLOW_PRIVATE: 'true',
  RATE_LIMIT_FACTOR: '1000000',
  LOG_LEVEL: 'error',
  SEED: 'sample',
  ADMIN_PASSWORD: 'proofs-only-here',
  ...others,
})

/** Starts the app as a separate process, in which channels of a fake panel can be watched. */
export async function startStreamApp({
  panel,
  streams,
  panelUrl = panel.url,
  port,
  core,
  database: ownDatabase,
  env,
}: Options): Promise<StreamApp> {
  const data = dataFolder()
  const all = streamEnvironment({
    PANEL_URL: panelUrl,
    LOG_LEVEL: 'warn',
    ...(ownDatabase && { DATABASE_URL: urlOf(ownDatabase) }),
    ...env,
  })
  const app = await runApp({
    dataDir: data.path,
    env: all,
    ...(port !== undefined && { port }),
    ...(core !== undefined && { core }),
  })
  const address = ownDatabase ?? (await startEmbedded({ dataDir: data.path, log: silentLog })).connection
  const database = connect(address, { log: silentLog, connectTimeoutMs: 15_000 })
  const config = readConfig({ DATA_DIR: data.path, ...all })
  return {
    app,
    config,
    db: database.db,
    dataDir: data.path,
    channels: await offerStreams(database.db, streams),
    viewers: (options) => storeViewers(database.db, config, panelUrl, options),
    close: async () => {
      await database.close()
      await app.stop()
      data.remove()
    },
  }
}
