import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Whether servers and load generator can be pinned to different cores. Otherwise nothing is pinned. */
export const canPin =
  process.platform === 'linux' && availableParallelism() >= 2 && spawnSync('taskset', ['-c', '0', 'true']).status === 0
export const serverCore = canPin ? 0 : undefined
const loadCore = canPin ? 1 : undefined

const pinned = (core: number | undefined, args: string[]): [string, string[]] =>
  core === undefined ? [process.execPath, args] : ['taskset', ['-c', String(core), process.execPath, ...args]]

export type Load = {
  perSecond: number
  answered: number
  wrong: number
  p50: number
  p99: number
  /** CPU time of the server per request, user and system. */
  cpuMicros: number
}

export type LoadRequest = { method?: string; headers?: Record<string, string>; body?: string; connections?: number }

/** Sends requests to `url` at full speed for `seconds`. Measures the CPU time of the server process, or the one that `spentMs` returns. */
export async function load(
  url: string,
  seconds: number,
  serverPid: number,
  request: LoadRequest = {},
  spentMs = () => processCpuMs(serverPid),
): Promise<Load> {
  const before = spentMs()
  const [command, args] = pinned(loadCore, ['bench/load.js', url, String(seconds), JSON.stringify(request)])
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  for await (const chunk of child.stdout) said += chunk
  const result = JSON.parse(said) as Omit<Load, 'cpuMicros'>
  return { ...result, cpuMicros: ((spentMs() - before) * 1000) / result.answered }
}

/** Pins this process to the core of the load generator. */
export function keepToLoadCore(): void {
  if (loadCore !== undefined) spawnSync('taskset', ['-apc', String(loadCore), String(process.pid)])
}

export type Mix = {
  port: number
  seconds: number
  kinds: { name: string; perSecond: number; connections: number; requests: string[] }[]
}
export type Answers = { count: number; p50: number; p95: number; p99: number; max: number }
/**
 * The results by kind of request. `statuses`: response times in ms by status. `codes`: the number of responses by error code. `withoutRetry`: 503 responses
 * without Retry-After. `lost`: requests without a response, by reason. `unsent`: requests that were not sent because no connection was free.
 */
export type MixReport = Record<
  string,
  {
    statuses: Record<string, Answers>
    codes: Record<string, number>
    withoutRetry: number
    lost: Record<string, number>
    unsent: number
  }
>

/** Sends several kinds of requests, each at a fixed rate, from a separate process. */
export async function mix(what: Mix): Promise<MixReport> {
  const [command, args] = pinned(loadCore, ['bench/mix.js', JSON.stringify(what)])
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  for await (const chunk of child.stdout) said += chunk
  return JSON.parse(said) as MixReport
}

export type Server = { pid: number; stop: () => void }

/** Starts a Node process on the server core. It is killed when this process ends. */
export function serve(args: string[]): Server {
  const [command, pinnedArgs] = pinned(serverCore, args)
  const child: ChildProcess = spawn(command, pinnedArgs, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  const stop = () => child.kill('SIGKILL')
  process.once('exit', stop)
  return { pid: child.pid!, stop }
}

/** Returns the CPU time that an app process and the database in its folder have used so far, in milliseconds. */
export function appAndDatabaseCpuMs(appPid: number, dataDir: string): number {
  const postmaster = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]!
  const backends = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ')
  const threads = [String(appPid), ...backends].flatMap((pid) =>
    readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}/schedstat`),
  )
  return threads.reduce((sum, file) => sum + Number(readFileSync(file, 'utf8').split(' ')[0]), 0) / 1e6
}

/** Returns the proportional set size (PSS) of a process in MB. */
export function proportionalMb(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1]) / 1024
}

/** Returns the CPU time that a process has used so far, user and system, in milliseconds. */
export function processCpuMs(pid: number): number {
  // utime and stime of proc(5), in ticks of 10 ms. The process name before them is in parentheses and may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
