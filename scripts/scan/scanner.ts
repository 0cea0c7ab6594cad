import { spawn, spawnSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'

/** The Debian packages, and programs, of the scanners. */
export const scanners = ['wapiti', 'sqlmap', 'ffuf', 'slowhttptest']

/** The scanners that this machine lacks. */
export const missingScanners = (): string[] => scanners.filter((name) => spawnSync('which', [name]).status !== 0)

export type Heard = { code: number | null; output: string; overdue: boolean }

type Options = { seconds: number; home: string; env?: Record<string, string | undefined> }

/** Runs a scanner at `home` and returns what it said; it is ended after `seconds`. Of the caller's environment it gets what `env` says. */
export function scan(command: string, args: string[], { seconds, home, env }: Options): Promise<Heard> {
  const { promise, resolve, reject } = Promise.withResolvers<Heard>()
  // What a scanner keeps between runs would make the next one look at less.
  const { PATH = '' } = process.env
  const child = spawn(command, args, {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME: home, LANG: 'C.UTF-8', NO_COLOR: '1', ...env },
  })
  let output = ''
  let overdue = false
  const hear = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
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
