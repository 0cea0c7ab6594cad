import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Servers have one core, the load another, so that neither takes from the other; where that is not possible nothing is pinned. */
export const canPin = process.platform === 'linux' && availableParallelism() >= 2 && spawnSync('taskset', ['-c', '0', 'true']).status === 0
export const serverCore = canPin ? 0 : undefined
const loadCore = canPin ? 1 : undefined

const pinned = (core: number | undefined, args: string[]): [string, string[]] =>
  core === undefined ? [process.execPath, args] : ['taskset', ['-c', String(core), process.execPath, ...args]]

export type Load = { perSecond: number; answered: number; wrong: number; p50: number; p99: number /** Of the server, user and system. */; cpuMicros: number }

/** Puts `url` under load for some seconds and reads what it cost the server's process. */
export async function load(url: string, seconds: number, serverPid: number): Promise<Load> {
  const before = cpuMillis(serverPid)
  const [command, args] = pinned(loadCore, ['bench/load.js', url, String(seconds)])
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  for await (const chunk of child.stdout) said += chunk
  const result = JSON.parse(said) as Omit<Load, 'cpuMicros'>
  return { ...result, cpuMicros: ((cpuMillis(serverPid) - before) * 1000) / result.answered }
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

/** Processor time of a process so far, user and system, in milliseconds. */
export function cpuMillis(pid: number): number {
  // utime and stime of proc(5), in ticks of 10 ms; the name before them is in brackets and may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
