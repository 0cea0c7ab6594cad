import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** Runs a command of the operator's hand on a data folder. The test goes on hearing meanwhile: connections that an app closes are noticed. */
export async function runCli(dataDir: string, ...args: string[]): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, ['src/cli.ts', ...args], { cwd: join(import.meta.dirname, '..'), env: { PATH, HOME, DATA_DIR: dataDir } })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), child.exitCode ?? once(child, 'close')])
  return { status: child.exitCode, stdout, stderr }
}
