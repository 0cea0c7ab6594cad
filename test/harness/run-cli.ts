import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { entryOf } from './app-entry.ts'

const root = join(import.meta.dirname, '../..')

/** Runs a CLI command on a data folder. It does not block the event loop, so the test still notices connections that an app closes. */
export const runCli = (dataDir: string, ...args: string[]) => runCliWith({ DATA_DIR: dataDir }, ...args)

/** Like `runCli`, with any settings. */
export async function runCliWith(
  settings: Record<string, string>,
  ...args: string[]
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const child = startCli(settings, ...args)
  const [stdout, stderr] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    child.exitCode ?? once(child, 'close'),
  ])
  return { status: child.exitCode, stdout, stderr }
}

/** Flags for Node to resolve the modules of the CLI as the app does, which saves a second of processor time. */
export const resolverFlags = ['--import', join(root, 'src/server/known-modules.ts')]

/** Starts a CLI command. */
export function startCli(settings: Record<string, string>, ...args: string[]): ChildProcess {
  const { PATH = '', HOME = '' } = process.env
  const entry = entryOf('cli')
  return spawn(process.execPath, [...(entry.endsWith('.ts') ? resolverFlags : []), entry, ...args], {
    cwd: root,
    env: { PATH, HOME, NODE_COMPILE_CACHE: join(root, '.cache/node'), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
