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
import { here, runningIn } from './cluster.ts'
import { identityOf, isAlive, pidOf } from './process-identity.ts'

/** A running server: its first process and the folder of its socket. */
export type Postmaster = { identity: string; socketFolder: string; port: number }

const quiet = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  timezone: 'UTC',
  log_timezone: 'UTC',
  cluster_name: 'sauce',
  jit: 'off',
  log_checkpoints: 'off',
  // Neither statements nor the values in a violated key belong in a log file.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

/** The living server of this cluster, whoever started it. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const lines = readPidFile(cluster)
  const pid = Number(lines?.[0])
  const identity = pid > 0 ? identityOf(pid) : undefined
  if (!identity || folderOf(pid) !== realpathSync(cluster)) return undefined
  return { identity, port: Number(lines![3] ?? 5432), socketFolder: lines![4] ?? '' }
}

/** Starts a server and returns as soon as its process runs; it may still be replaying. `logFile` takes what it says. */
export async function launch(parts: {
  cluster: string
  native: string
  account: Account
  socketFolder: string
  logFile: string
  settings: Record<string, string>
}): Promise<string> {
  const { cluster, native, account, socketFolder, logFile, settings } = parts
  await clearRemains(cluster, socketFolder)
  keepSmall(logFile)
  const log = openSync(logFile, 'a', 0o600)
  const options = Object.entries({ ...quiet, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  try {
    const child = spawn(join(native, 'bin/postgres'), ['-D', here, '-k', socketFolder, ...options], {
      ...runningIn(cluster, account),
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

/** A fast shutdown: connections are ended, everything is written. Returns whether it was over within `patienceMs`. */
export async function shutDown({ identity }: Postmaster, patienceMs: number): Promise<boolean> {
  if (!isAlive(identity)) return true
  const deadline = performance.now() + patienceMs
  process.kill(pidOf(identity), 'SIGINT')
  while (isAlive(identity)) {
    if (performance.now() > deadline) return false
    await sleep(5)
  }
  return true
}

/** What the server wrote to its log from `offset` bytes on. */
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

/** The server keeps its log open for appending, so a full one is copied away and emptied. */
export function keepSmall(logFile: string, bytes = 8_000_000): void {
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) < bytes) return
  copyFileSync(logFile, `${logFile}.1`)
  truncateSync(logFile)
}

/** After a killed server: its other processes may outlive it for a while, and a new one refuses to start beside them. */
async function clearRemains(cluster: string, socketFolder: string): Promise<void> {
  const socket = join(socketFolder, '.s.PGSQL.5432')
  if (await accepts(socket)) {
    throw new Error(
      `The data in ${cluster} are in use by a PostgreSQL whose process cannot be seen from here (another container?). Stop that one first.`,
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
  // PostgreSQL would take any process that exists for the one its files name: a zombie, or somebody who got the same number.
  rmSync(`${socket}.lock`, { force: true })
  // One that names no process at all (empty after a power cut, or broken) stops PostgreSQL for good.
  const pid = readPidFile(cluster)?.[0]
  if (pid !== undefined && (!/^[1-9]\d{0,8}$/.test(pid) || existsSync(`/proc/${pid}`)))
    rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

function accepts(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket)
    const answer = (accepted: boolean) => {
      probe.destroy()
      resolve(accepted)
    }
    probe.once('connect', () => answer(true)).once('error', () => answer(false))
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
