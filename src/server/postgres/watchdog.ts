import type { Logger } from 'pino'
import { keepSmall, type Postmaster } from './postmaster.ts'
import { isAlive, pidOf } from './process-identity.ts'

const lookEveryMs = 200
const longestPauseMs = 5_000
const looksBetweenLogChecks = 9_000

/** Looks after the server until ended: a dead one is replaced by what `restart` returns, tried again for as long as it fails. */
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
  let looks = 0

  async function replace(): Promise<void> {
    log.warn({ pid: pidOf(current.identity) }, 'PostgreSQL died, restarting it')
    try {
      current = await restart()
      failures = 0
    } catch (error) {
      notBefore = performance.now() + Math.min(longestPauseMs, 100 * 2 ** failures++)
      log.error({ error: (error as Error).message }, 'PostgreSQL could not be restarted')
    }
    restarting = undefined
  }

  const timer = setInterval(() => {
    if (++looks % looksBetweenLogChecks === 0) keepSmall(logFile)
    if (!restarting && !isAlive(current.identity) && performance.now() >= notBefore) restarting = replace()
  }, lookEveryMs)
  timer.unref()
  return {
    end: async () => {
      clearInterval(timer)
      await restarting
      return current
    },
  }
}
