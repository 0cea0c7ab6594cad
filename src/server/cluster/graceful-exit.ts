import type { Logger } from 'pino'
import { limits } from '../limits.ts'

// A terminal signals the whole process group and npm forwards the signal: one Ctrl-C may arrive twice.
const sameKeystrokeMs = 1_000

/** On SIGTERM, SIGINT or SIGHUP runs `steps` in order, each for at most `stepMs`, then exits. A second signal exits immediately. */
export function exitGracefully(
  log: Logger,
  steps: ((signal: NodeJS.Signals) => unknown)[],
  stepMs: number = limits.http.drainMs,
): void {
  let closingSince: number | undefined
  const close = async (signal: NodeJS.Signals) => {
    if (closingSince !== undefined) {
      if (performance.now() - closingSince > sameKeystrokeMs) process.exit(1)
      return
    }
    closingSince = performance.now()
    log.info({ signal }, 'shutting down')
    const overdue = setTimeout(() => process.exit(1), stepMs + 4_000)
    for (const step of steps)
      await Promise.race([
        Promise.resolve(step(signal)).catch((error: Error) =>
          log.error({ message: error.message }, 'shutdown step failed'),
        ),
        new Promise((resolve) => setTimeout(resolve, stepMs).unref()),
      ])
    clearTimeout(overdue)
    process.exit(0)
  }
  process.on('SIGTERM', () => void close('SIGTERM'))
  process.on('SIGINT', () => void close('SIGINT'))
  process.on('SIGHUP', () => void close('SIGHUP'))
  process.on('unhandledRejection', (reason) =>
    log.error(
      {
        reason:
          reason instanceof Error
            ? { name: reason.name, message: reason.message, stack: reason.stack }
            : String(reason),
      },
      'unhandled rejection',
    ),
  )
}
