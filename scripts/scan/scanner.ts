import { spawn, spawnSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'

/** The scanners. Each name is that of the Debian package and of its program. */
export const scanners = ['wapiti', 'sqlmap', 'ffuf', 'slowhttptest']

/** The scanners that are not installed. */
export const missingScanners = (): string[] => scanners.filter((name) => spawnSync('which', [name]).status !== 0)

export type ScanOutput = { code: number | null; output: string; overdue: boolean }

type Options = { seconds: number; home: string; env?: Record<string, string | undefined> }

/** Runs a scanner in `home` with the environment `env` and returns its output. Kills it after `seconds`. */
export function scan(command: string, args: string[], { seconds, home, env }: Options): Promise<ScanOutput> {
  const { promise, resolve, reject } = Promise.withResolvers<ScanOutput>()
  // A separate home, because state kept between runs would make the next run skip tests.
  const { PATH = '' } = process.env
  const child = spawn(command, args, {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME: home, LANG: 'C.UTF-8', NO_COLOR: '1', ...env },
  })
  let output = ''
  let overdue = false
  const append = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', append)
  child.stderr.on('data', append)
  const timer = setTimeout(() => {
    overdue = true
    child.kill('SIGKILL')
  }, seconds * 1_000)
  child.on('error', reject)
  child.on('close', (code) => {
    clearTimeout(timer)
    resolve({ code, output: stripVTControlCharacters(output), overdue })
  })
  return promise
}
