import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverFlags } from '../../scripts/boot/node.js'
import { entryOf } from './app-entry.ts'
import { copyCluster } from './cluster-template.ts'
import { fakedClock } from './faked-clock.ts'
import { createTestFolder } from './test-folder.ts'

const root = join(import.meta.dirname, '../..')
const startTimeoutMs = 90_000

export type RunningApp = {
  url: string
  pid: number
  /** The time from the start of the process to the first response with status 200 at `readyPath`, in milliseconds. */
  readyMs: number
  /** The last lines of its output, to diagnose a failure. */
  output: () => string
  /** Stops it gracefully without waiting for idle connections; the data stays. */
  stop: () => Promise<void>
  /** Its exit code once it has ended, or the signal that ended it. */
  ended: () => Promise<number | string>
}

type Options = {
  dataDir: string
  env?: Record<string, string>
  /** Pins the process, and the database it starts, to one processor core. */
  core?: number
  /** The nice value of the process (1 to 19): the higher, the lower its priority. */
  nice?: number
  /** The network namespace it runs in, and its address there. */
  host?: { namespace: string; address: string }
  /** How many of the last lines `output` keeps. */
  remember?: number
  /** The port on which it listens; by default any free port. */
  port?: number
  /** The path that answers 200 as soon as it has started; `/readyz` when left out. A page takes longer: it is rendered first. */
  readyPath?: string
  /**
   * True makes the process itself create the database in an empty folder, as on a first start, instead of starting on a copy. It always runs
   * the sources.
   */
  firstStart?: boolean
  /** Called as soon as the process exists, before it accepts requests. */
  onStart?: (pid: number) => void
}

/** Starts the app as a child process: `src/main.ts`, or its bundle in the short form of the tests. Throws an error with its output if it does not start. */
export async function runApp({
  dataDir,
  env = {},
  core,
  nice,
  remember = 200,
  port: requestedPort,
  host,
  firstStart = false,
  readyPath = '/readyz',
  onStart,
}: Options): Promise<RunningApp> {
  if (!firstStart && !env.DATABASE_URL) await copyCluster(dataDir)
  const port = requestedPort ?? (await freePort())
  const url = `http://${host?.address ?? 'localhost'}:${port}`
  // Settings of the caller are not passed on: tests must never write to a DATABASE_URL of the shell.
  const { PATH = '', HOME = '', LANG = 'C.UTF-8' } = process.env
  const NODE_COMPILE_CACHE = join(root, '.cache/node')
  const pin = core === undefined ? [] : ['taskset', '-c', String(core)]
  const lower = nice === undefined ? [] : ['nice', '-n', String(nice)]
  const inside = host ? ['ip', 'netns', 'exec', host.namespace] : []
  const lifeline = join(root, 'scripts/boot/lifeline.js')
  const [command = '', ...args] = [
    ...inside,
    ...pin,
    ...lower,
    process.execPath,
    '--import',
    lifeline,
    entryOf('main', { fromSources: firstStart }),
  ]
  const started = performance.now()
  const child = spawn(command, args, {
    cwd: root,
    env: {
      PATH,
      HOME,
      LANG,
      NODE_COMPILE_CACHE,
      NODE_OPTIONS: serverFlags.join(' '),
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: dataDir,
      ...fakedClock,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  onStart?.(child.pid!)
  const lastLines = lastOutput(child, remember)
  const exited = new Promise<number | string>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? String(signal))),
  )

  while (!(await isServing(url + readyPath))) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() - started > startTimeoutMs) {
      child.kill('SIGKILL')
      throw new Error(`The app did not start:\n${lastLines()}`)
    }
    await sleep(20)
  }
  const stop = async () => {
    child.kill('SIGINT')
    await exited
  }
  return { url, pid: child.pid!, readyMs: performance.now() - started, output: lastLines, stop, ended: () => exited }
}

/** Creates a data folder that the database's account may enter; `remove` deletes it. */
export function dataFolder(): { path: string; remove: () => void } {
  const path = createTestFolder()
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

async function isServing(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}

function lastOutput(child: ChildProcess, most: number): () => string {
  let text = ''
  const append = (chunk: Buffer) => {
    text = (text + chunk.toString()).split('\n').slice(-most).join('\n')
  }
  child.stdout?.on('data', append)
  child.stderr?.on('data', append)
  return () => text
}

/** Returns a free port below the ephemeral port range. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer()
      probe.once('error', () => resolve(false))
      probe.listen(port, () => probe.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}
