import { loggableError } from '#server/observability/loggable-error.ts'
import type { RelayContext } from './play.ts'

/** Returns an error handler for a write whose result is not awaited. It logs a warning with this message. */
export const warnOf =
  (log: Pick<RelayContext['log'], 'warn'>, message: string) =>
  (error: unknown): void =>
    log.warn({ error: loggableError(error as Error) }, message)
