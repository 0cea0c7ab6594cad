import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { accountFor } from './account.ts'
import { runnableBinaries, shippedPostgres } from './binaries.ts'
import { adminRole, appRole, claimCluster, clusterExists, createCluster, writeAccessRules } from './cluster.ts'
import type { Connection } from './connection.ts'
import { withLock } from './lock.ts'
import { findPostmaster, launch, logSince, type Postmaster, shutDown } from './postmaster.ts'
import { pidOf } from './process-identity.ts'
import { registerProcess } from './process-registry.ts'
import { prepareSocketFolder, removeSocketFolder, socketFolderFor } from './socket-folder.ts'
import { waitForLogin } from './wait-for-login.ts'
import { keepRunning } from './watchdog.ts'

export type Embedded = {
  /** Connection options for the app's role, which owns the app's database. */
  connection: Connection
  /** Connection options for the superuser. */
  admin: Connection
  /** Stops the server if no other app uses it. Close all connections first. */
  stop: () => Promise<void>
}
export type EmbeddedOptions = {
  dataDir: string
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Additional server settings, such as `{ fsync: 'off' }` in tests. */
  settings?: Record<string, string>
  /** How many worker processes will use the server, each with its own pool. */
  processes?: number
  /** If false, a cluster is created without fsync. For tests only. */
  durable?: boolean
  /** Additional environment variables of the server. For tests only. */
  env?: Record<string, string>
}

const startPatienceMs = 120_000
const stopPatienceMs = 30_000

/**
 * Runs the embedded PostgreSQL with its data in `dataDir`: creates the cluster if it is missing, adopts a running server or starts one, and restarts it when it
 * dies. The server keeps running if the app is killed; the next app adopts it. Throws an error with a message for the operator.
 */
export async function startEmbedded({
  dataDir,
  log,
  settings = {},
  processes = 1,
  durable = true,
  env,
}: EmbeddedOptions): Promise<Embedded> {
  if (process.platform !== 'linux')
    throw new Error('The embedded PostgreSQL runs on Linux only. Set DATABASE_URL to a PostgreSQL 15 or newer.')
  mkdirSync(dataDir, { recursive: true })
  const folder = realpathSync(dataDir)
  const cluster = join(folder, 'postgres')
  const logFile = join(folder, 'postgres.log')
  const lock = join(folder, 'postgres.lock')
  const source = shippedPostgres()

  /** Adopts or starts the server. A restart passes the previous socket folder, which open pools use. Call it while holding the lock. */
  async function adoptOrStart(socketFolder?: string): Promise<Postmaster> {
    const account = accountFor(cluster)
    const exists = clusterExists(cluster, source.major)
    for (let running = findPostmaster(cluster); running; running = findPostmaster(cluster)) {
      if (!(await waitForLogin(running.identity, connectionTo(running)))) continue
      log.info({ pid: pidOf(running.identity) }, 'adopted a running PostgreSQL')
      return running
    }
    const native = runnableBinaries(source, folder, account)
    if (!exists) {
      log.info({ folder: cluster }, 'creating a new database cluster')
      await createCluster(cluster, native, account, durable)
    }
    claimCluster(cluster, account)
    writeAccessRules(cluster)
    const server = { identity: '', port: 5432, socketFolder: socketFolder ?? socketFolderFor(folder, account) }
    prepareSocketFolder(server.socketFolder, account)
    const logged = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
    const identity = await launch({
      cluster,
      native,
      account,
      socketFolder: server.socketFolder,
      logFile,
      settings: { max_connections: String(Math.max(100, 40 + 15 * processes)), ...settings },
      env,
    })
    if (!(await waitForLogin(identity, connectionTo(server))))
      throw new Error(`PostgreSQL did not start:\n${logSince(logFile, logged)}`)
    log.info({ pid: pidOf(identity) }, 'started PostgreSQL')
    return { ...server, identity }
  }

  const { registration, postmaster } = await withLock(lock, startPatienceMs, async () => {
    const registration = registerProcess(folder)
    try {
      return { registration, postmaster: await adoptOrStart() }
    } catch (error) {
      registration.unregister()
      throw error
    }
  })
  const watchdog = keepRunning(postmaster, logFile, log, () =>
    withLock(lock, startPatienceMs, () => adoptOrStart(postmaster.socketFolder)),
  )

  let stopped: Promise<void> | undefined
  async function stop(): Promise<void> {
    const last = await watchdog.end()
    await withLock(lock, stopPatienceMs, async () => {
      const { others } = registration.unregister()
      if (others > 0) log.info({ others }, 'PostgreSQL keeps running for other apps in this folder')
      else if (await shutDown(last, stopPatienceMs)) removeSocketFolder(last.socketFolder)
      else log.warn({ pid: pidOf(last.identity) }, 'PostgreSQL is still shutting down')
    })
  }
  return {
    connection: connectionTo(postmaster),
    admin: { ...connectionTo(postmaster), user: adminRole, database: 'postgres' },
    stop: () => (stopped ??= stop()),
  }
}

const connectionTo = ({ socketFolder, port }: Pick<Postmaster, 'socketFolder' | 'port'>): Connection => ({
  host: socketFolder,
  port,
  user: appRole,
  database: appRole,
})
