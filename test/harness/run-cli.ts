import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** Runs a CLI command on a data folder. It does not block the event loop, so the test still notices connections that an app closes. */
export const runCli = (dataDir: string, ...args: string[]) => runCliWith({ DATA_DIR: dataDir }, ...args)

/** Like `runCli`, with any settings. */
export async function runCliWith(
  settings: Record<string, string>,
  ...args: string[]
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, ['src/cli.ts', ...args], {
    cwd: join(import.meta.dirname, '../..'),
    env: { PATH, HOME, ...settings },
  })
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    child.exitCode ?? once(child, 'close'),
  ])
  return { status: child.exitCode, stdout, stderr }
}
