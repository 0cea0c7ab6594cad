import { loggableError } from '#server/observability/loggable-error.ts'
import type { RelayContext } from './play.ts'

/** Handles the error of a write for which nothing waits: logs a warning. */
export const warnOf =
  (log: Pick<RelayContext['log'], 'warn'>, message: string) =>
  (error: unknown): void =>
    log.warn({ error: loggableError(error as Error) }, message)
