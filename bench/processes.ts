import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Servers have one core, the load another, so that neither takes from the other; where that is not possible nothing is pinned. */
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
  p99: number /** Of the server, user and system. */
  cpuMicros: number
}

export type LoadRequest = { method?: string; headers?: Record<string, string>; body?: string; connections?: number }

/** Puts `url` under load for some seconds and reads what it cost: the server's process, or what `spentMs` counts. */
export async function load(
  url: string,
  seconds: number,
  serverPid: number,
  request: LoadRequest = {},
  spentMs = () => cpuMillis(serverPid),
): Promise<Load> {
  const before = spentMs()
  const [command, args] = pinned(loadCore, ['bench/load.js', url, String(seconds), JSON.stringify(request)])
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  for await (const chunk of child.stdout) said += chunk
  const result = JSON.parse(said) as Omit<Load, 'cpuMicros'>
  return { ...result, cpuMicros: ((spentMs() - before) * 1000) / result.answered }
}

/** Lets this process itself make the load: from now on it keeps to the load's core. */
export function keepToLoadCore(): void {
  if (loadCore !== undefined) spawnSync('taskset', ['-apc', String(loadCore), String(process.pid)])
}

export type Mix = {
  port: number
  seconds: number
  kinds: { name: string; perSecond: number; connections: number; requests: string[] }[]
}
export type Answers = { count: number; p50: number; p95: number; p99: number; most: number }
/** What became of the requests of one kind: `codes` of refusals, `lost` were not answered, by reason; `unsent` found no connection free. */
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

/** Several kinds of requests, each so many a second, from a process of its own. */
export async function mix(what: Mix): Promise<MixReport> {
  const [command, args] = pinned(loadCore, ['bench/mix.js', JSON.stringify(what)])
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  for await (const chunk of child.stdout) said += chunk
  return JSON.parse(said) as MixReport
}

export type Server = { pid: number; stop: () => void }

/** A process on the servers' core that is killed in the end. */
export function serve(args: string[]): Server {
  const [command, pinnedArgs] = pinned(serverCore, args)
  const child: ChildProcess = spawn(command, pinnedArgs, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  const stop = () => child.kill('SIGKILL')
  process.once('exit', stop)
  return { pid: child.pid!, stop }
}

/** What an app's process and the database in its folder have computed so far, in milliseconds; unlike time it hardly depends on what else the machine does. */
export function computedMs(appPid: number, dataDir: string): number {
  const postmaster = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]!
  const backends = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ')
  const threads = [String(appPid), ...backends].flatMap((pid) =>
    readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}/schedstat`),
  )
  return threads.reduce((sum, file) => sum + Number(readFileSync(file, 'utf8').split(' ')[0]), 0) / 1e6
}

/** The memory that a process has to itself and its part of what it shares, in MB. */
export function proportionalMb(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1]) / 1024
}

/** Processor time of a process so far, user and system, in milliseconds. */
export function cpuMillis(pid: number): number {
  // utime and stime of proc(5), in ticks of 10 ms; the name before them is in brackets and may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
