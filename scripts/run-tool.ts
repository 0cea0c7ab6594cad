import { type ChildProcess, spawn } from 'node:child_process'
import { root } from './checks/tree.ts'

const running = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (running.size === 0) process.exit(1)
    for (const child of running) {
      child.once('exit', () => running.size === 0 && process.exit(1))
      child.kill('SIGTERM')
    }
  })
}

type Options = { minutes: number; env?: Record<string, string>; cwd?: string }

/** Runs a program with inherited output and ends it after `minutes`. Resolves with its exit code, or the reason why it has none. */
export function runTool(
  command: string,
  args: string[],
  { env = {}, minutes, cwd = root }: Options,
): Promise<number | string> {
  const { promise, resolve } = Promise.withResolvers<number | string>()
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } })
  running.add(child)
  let overdue = false
  const timer = setTimeout(() => {
    overdue = true
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), 10_000).unref()
  }, minutes * 60_000)
  child.on('error', (error) => resolve(error.message))
  child.on('exit', (code, signal) => {
    clearTimeout(timer)
    running.delete(child)
    resolve(overdue ? `took longer than ${minutes} minutes` : (code ?? `ended by ${signal}`))
  })
  return promise
}
