import type { Logger } from 'pino'
import { type Postmaster, rotateLog } from './postmaster.ts'
import { isAlive, pidOf } from './process-identity.ts'

const checkEveryMs = 200
const maxBackoffMs = 5_000
const checksPerLogRotation = 9_000

/** Monitors the server until `end` is called. When the server dies, calls `restart` until it succeeds, with back-off. */
export function keepRunning(
  first: Postmaster,
  logFile: string,
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
  restart: () => Promise<Postmaster>,
): { end: () => Promise<Postmaster> } {
  let current = first
  let restarting: Promise<void> | undefined
  let failures = 0
  let notBefore = 0
  let checks = 0

  async function replace(): Promise<void> {
    log.warn({ pid: pidOf(current.identity) }, 'PostgreSQL died, restarting')
    try {
      current = await restart()
      failures = 0
    } catch (error) {
      notBefore = performance.now() + Math.min(maxBackoffMs, 100 * 2 ** failures++)
      log.error({ error: (error as Error).message }, 'PostgreSQL could not be restarted')
    }
    restarting = undefined
  }

  const timer = setInterval(() => {
    if (++checks % checksPerLogRotation === 0) rotateLog(logFile)
    if (!restarting && !isAlive(current.identity) && performance.now() >= notBefore) restarting = replace()
  }, checkEveryMs)
  timer.unref()
  return {
    end: async () => {
      clearInterval(timer)
      await restarting
      return current
    },
  }
}
