import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { accountFor } from './account.ts'
import { runnableBinaries, shipped } from './binaries.ts'
import { adminRole, appRole, claimCluster, clusterExists, createCluster, writeAccessRules } from './cluster.ts'
import { withLock } from './lock.ts'
import { findPostmaster, launch, logSince, type Postmaster, shutDown } from './postmaster.ts'
import { pidOf } from './process-identity.ts'
import { registerProcess } from './process-registry.ts'
import { acceptsLogins } from './ready.ts'
import { prepareSocketFolder, removeSocketFolder, socketFolderFor } from './socket-folder.ts'
import { keepRunning } from './watchdog.ts'

/** How to log in over the unix socket; `host` is the socket's folder. */
export type Connection = { host: string; port: number; user: string; database: string }
export type Embedded = {
  /** As the app's role, owner of its database. */
  connection: Connection
  /** As superuser, for backups and repairs. */
  admin: Connection
  /** Leaves the server: the last app to leave stops it. Close your connections first. */
  stop: () => Promise<void>
}
export type EmbeddedOptions = {
  dataDir: string
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Settings of the server beyond our own, such as `{ fsync: 'off' }` in tests. */
  settings?: Record<string, string>
  /** How many server processes will use it, each with a pool of its own. */
  processes?: number
  /** False skips writing a new cluster through to the disk; tests only. */
  durable?: boolean
}

const startPatienceMs = 120_000
const stopPatienceMs = 30_000

/**
 * The app's own PostgreSQL, data in `dataDir`: made when missing, adopted when it already runs, else started; restarted when it dies.
 * It outlives a killed app and is adopted by the next one. Throws with a sentence for the operator when that is impossible.
 */
export async function startEmbedded({
  dataDir,
  log,
  settings = {},
  processes = 1,
  durable = true,
}: EmbeddedOptions): Promise<Embedded> {
  if (process.platform !== 'linux')
    throw new Error('The embedded PostgreSQL runs on Linux only. Set DATABASE_URL to a PostgreSQL 15 or newer.')
  mkdirSync(dataDir, { recursive: true })
  const folder = realpathSync(dataDir)
  const cluster = join(folder, 'postgres')
  const logFile = join(folder, 'postgres.log')
  const lock = join(folder, 'postgres.lock')
  const source = shipped()

  /** Adopts or starts, in the socket folder once given out: connections of this app already point there. Call under the lock. */
  async function ensure(socketFolder?: string): Promise<Postmaster> {
    const account = accountFor(cluster)
    const exists = clusterExists(cluster, source.major)
    for (let running = findPostmaster(cluster); running; running = findPostmaster(cluster)) {
      if (!(await acceptsLogins(running.identity, connectionTo(running)))) continue
      log.info({ pid: pidOf(running.identity) }, 'adopted the running PostgreSQL')
      return running
    }
    const native = runnableBinaries(source, folder, account)
    if (!exists) {
      log.info({ folder: cluster }, 'making a new database')
      await createCluster(cluster, native, account, durable)
    }
    claimCluster(cluster, account)
    writeAccessRules(cluster)
    const place = { identity: '', port: 5432, socketFolder: socketFolder ?? socketFolderFor(folder, account) }
    prepareSocketFolder(place.socketFolder, account)
    const logged = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
    const identity = await launch({
      cluster,
      native,
      account,
      socketFolder: place.socketFolder,
      logFile,
      settings: { max_connections: String(Math.max(100, 40 + 15 * processes)), ...settings },
    })
    if (!(await acceptsLogins(identity, connectionTo(place))))
      throw new Error(`PostgreSQL did not start:\n${logSince(logFile, logged)}`)
    log.info({ pid: pidOf(identity) }, 'started PostgreSQL')
    return { ...place, identity }
  }

  const { attendance, postmaster } = await withLock(lock, startPatienceMs, async () => {
    const attendance = registerProcess(folder)
    try {
      return { attendance, postmaster: await ensure() }
    } catch (error) {
      attendance.leave()
      throw error
    }
  })
  const watchdog = keepRunning(postmaster, logFile, log, () =>
    withLock(lock, startPatienceMs, () => ensure(postmaster.socketFolder)),
  )

  let stopped: Promise<void> | undefined
  async function stop(): Promise<void> {
    const last = await watchdog.end()
    await withLock(lock, stopPatienceMs, async () => {
      const { others } = attendance.leave()
      if (others > 0) log.info({ others }, 'left PostgreSQL to the other apps of this folder')
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
