import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = join(import.meta.dirname, '..')
const patienceMs = 45_000

export type RunningApp = {
  url: string
  pid: number
  /** From the start of the process to its first page, in milliseconds. */
  firstPageMs: number
  /** The last lines it said, for people who look at a failure. */
  said: () => string
  /** Ends it in good order; the data stays. */
  stop: () => Promise<void>
}

type Options = {
  dataDir: string
  env?: Record<string, string>
  /** Pins the process, and the database it starts, to one processor core. */
  core?: number
}

/** The real thing: `node src/main.ts` as a process of its own. Throws with what it said when it does not come up. */
export async function runApp({ dataDir, env = {}, core }: Options): Promise<RunningApp> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  // Nothing of the caller's settings gets in: a DATABASE_URL in the shell must never be what tests write to.
  const { PATH = '', HOME = '', LANG = 'C.UTF-8' } = process.env
  const pin = core === undefined ? [] : ['taskset', '-c', String(core)]
  const lifeline = join(root, 'scripts/boot/lifeline.js')
  const [command = '', ...args] = [...pin, process.execPath, '--import', lifeline, 'src/main.ts']
  const started = performance.now()
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH, HOME, LANG, NODE_COMPILE_CACHE: join(root, '.cache/node'), PORT: String(port), DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const said = lastLines(child, 200)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))

  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() - started > patienceMs) {
      child.kill('SIGKILL')
      throw new Error(`The app did not come up:\n${said()}`)
    }
    await sleep(5)
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  return { url, pid: child.pid!, firstPageMs: performance.now() - started, said, stop }
}

/** A folder for an app's data that the database's own account may enter; `remove` deletes it. */
export function dataFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'sauce-app-'))
  chmodSync(path, 0o711)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}

function lastLines(child: ChildProcess, most: number): () => string {
  let text = ''
  const hear = (chunk: Buffer) => {
    text = (text + chunk.toString()).split('\n').slice(-most).join('\n')
  }
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  return () => text
}

/** A port below the range from which the kernel lends ports to outgoing connections. */
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
