import type { Context } from 'hono'
import type { Logger } from 'pino'
import { isUnavailable } from '../db/connect.ts'
import { Refusal } from '../errors.ts'
import { loggableError } from '../observability/loggable-error.ts'

/** Logs an error of a request and returns its response: the status of a refusal, 503 while the database is unavailable, otherwise 500. */
export function errorResponse(error: Error, c: Context, log: Logger): Response {
  const requestId = c.get('requestId' as never) as string
  const path = withoutSealed(c.req.path)
  c.header('cache-control', 'no-store')
  if (error instanceof Refusal) {
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
    log.info({ requestId, path, status: error.status, code: error.code }, 'refused')
    return c.json(
      { message: error.message, code: error.code, ...(error.issues && { issues: error.issues }) },
      error.status,
    )
  }
  if (isUnavailable(error)) {
    log.error({ requestId, path }, 'database unavailable')
    c.header('retry-after', '2')
    return c.json(
      { message: 'We cannot reach our records right now. Please try again in a moment.', code: 'unavailable' },
      503,
    )
  }
  log.error({ requestId, path, error: loggableError(error) }, 'unexpected error')
  return c.json({ message: 'Internal error', code: 'internal', requestId }, 500)
}

/** The sealed part of a stream's address opens the stream, so it is not logged. */
const withoutSealed = (path: string): string => path.replace(/^(\/stream\/[^/]+)\/.*$/, '$1')
