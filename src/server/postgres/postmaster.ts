import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from './account.ts'
import { dataFolderArgument, spawnOptions } from './cluster.ts'
import { identityOf, isAlive, pidOf } from './process-identity.ts'

/** A running server: the identity of its main process, and its socket. */
export type Postmaster = { identity: string; socketFolder: string; port: number }

const defaultSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  timezone: 'UTC',
  log_timezone: 'UTC',
  cluster_name: 'sauce',
  jit: 'off',
  log_checkpoints: 'off',
  // Keeps statements and the values of violated keys out of the log file.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

/** Finds the running server of this cluster, even if another process started it. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const lines = readPidFile(cluster)
  const pid = Number(lines?.[0])
  const identity = pid > 0 ? identityOf(pid) : undefined
  if (!identity || folderOf(pid) !== realpathSync(cluster)) return undefined
  return { identity, port: Number(lines![3] ?? 5432), socketFolder: lines![4] ?? '' }
}

/** Starts a server and returns its identity as soon as the process runs; it may still be recovering. Its output goes to `logFile`. */
export async function launch(server: {
  cluster: string
  native: string
  account: Account
  socketFolder: string
  logFile: string
  settings: Record<string, string>
  env?: Record<string, string> | undefined
}): Promise<string> {
  const { cluster, native, account, socketFolder, logFile, settings, env } = server
  await removeStaleState(cluster, socketFolder)
  rotateLog(logFile)
  const log = openSync(logFile, 'a', 0o600)
  const options = Object.entries({ ...defaultSettings, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const spawned = spawnOptions(cluster, account)
  try {
    const child = spawn(join(native, 'bin/postgres'), ['-D', dataFolderArgument, '-k', socketFolder, ...options], {
      ...spawned,
      env: { ...spawned.env, ...env },
      detached: true,
      stdio: ['ignore', log, log],
    })
    await once(child, 'spawn')
    child.unref()
    return identityOf(child.pid!) ?? `${child.pid}-gone`
  } finally {
    closeSync(log)
  }
}

/** Performs a fast shutdown: ends connections and writes everything to disk. Returns false if it takes longer than `timeoutMs`. */
export async function shutDown({ identity }: Postmaster, timeoutMs: number): Promise<boolean> {
  if (!isAlive(identity)) return true
  const deadline = performance.now() + timeoutMs
  process.kill(pidOf(identity), 'SIGINT')
  while (isAlive(identity)) {
    if (performance.now() > deadline) return false
    await sleep(5)
  }
  return true
}

/** Returns what the server wrote to its log after the first `offset` bytes, at most the last 4,000 bytes. */
export function logSince(logFile: string, offset: number): string {
  const file = openSync(logFile, 'r')
  try {
    const tail = Buffer.alloc(Math.min(4000, Math.max(0, fstatSync(file).size - offset)))
    readSync(file, tail, 0, tail.length, Math.max(offset, fstatSync(file).size - tail.length))
    return tail.toString().trim()
  } finally {
    closeSync(file)
  }
}

/** Rotates a log file larger than `bytes` by copying and truncating it, because the server keeps it open. */
export function rotateLog(logFile: string, bytes = 8_000_000): void {
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) < bytes) return
  copyFileSync(logFile, `${logFile}.1`)
  truncateSync(logFile)
}

/** Cleans up after a killed server: kills its orphaned child processes, which block a new start, and removes stale lock files. */
async function removeStaleState(cluster: string, socketFolder: string): Promise<void> {
  const socket = join(socketFolder, '.s.PGSQL.5432')
  if (await acceptsConnections(socket)) {
    throw new Error(
      `The data in ${cluster} are used by a PostgreSQL that is not visible from here (in another container?). Stop it first.`,
    )
  }
  const real = realpathSync(cluster)
  const orphans = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isPostgres(pid) && folderOf(pid) === real)
  for (const orphan of orphans.map(identityOf)) {
    if (!orphan) continue
    process.kill(pidOf(orphan), 'SIGKILL')
    while (isAlive(orphan)) await sleep(2)
  }
  // PostgreSQL would mistake any process with the pid in these files for its own: a zombie, or an unrelated process with a reused pid.
  rmSync(`${socket}.lock`, { force: true })
  // A pid file without a valid pid (empty after a power failure, or corrupt) prevents PostgreSQL from starting.
  const pid = readPidFile(cluster)?.[0]
  if (pid !== undefined && (!/^[1-9]\d{0,8}$/.test(pid) || existsSync(`/proc/${pid}`)))
    rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

function acceptsConnections(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket)
    const finish = (accepted: boolean) => {
      probe.destroy()
      resolve(accepted)
    }
    probe.once('connect', () => finish(true)).once('error', () => finish(false))
  })
}

function readPidFile(cluster: string): string[] | undefined {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8')
      .split('\n')
      .map((line) => line.trim())
  } catch {
    return undefined
  }
}

function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

function isPostgres(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
  } catch {
    return false
  }
}
