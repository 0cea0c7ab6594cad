import type { Logger } from 'pino'
import { limits } from './limits.ts'

// A terminal tells the whole process group and npm passes on what it heard: one Ctrl-C may arrive twice.
const sameKeystrokeMs = 1_000

/** SIGTERM, SIGINT and SIGHUP run `steps` in order, once, within the drain time; a later second signal ends the process at once. */
export function closeGracefully(log: Logger, steps: (() => unknown)[]): void {
  let closingSince: number | undefined
  const close = async (signal: string) => {
    if (closingSince !== undefined) {
      if (performance.now() - closingSince > sameKeystrokeMs) process.exit(1)
      return
    }
    closingSince = performance.now()
    log.info({ signal }, 'closing')
    const overdue = setTimeout(() => process.exit(1), limits.http.drainMs + 4_000)
    for (const step of steps)
      await Promise.race([
        Promise.resolve(step()).catch((error: Error) => log.error({ message: error.message }, 'closing failed')),
        new Promise((resolve) => setTimeout(resolve, limits.http.drainMs).unref()),
      ])
    clearTimeout(overdue)
    process.exit(0)
  }
  process.on('SIGTERM', () => void close('SIGTERM'))
  process.on('SIGINT', () => void close('SIGINT'))
  process.on('SIGHUP', () => void close('SIGHUP'))
  process.on('unhandledRejection', (reason) =>
    log.error(
      { reason: reason instanceof Error ? { name: reason.name, message: reason.message, stack: reason.stack } : String(reason) },
      'unhandled rejection',
    ),
  )
}
