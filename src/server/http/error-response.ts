import type { Context } from 'hono'
import type { Logger } from 'pino'
import { isUnavailable } from '../db/connect.ts'
import { Refusal } from '../errors.ts'
import { loggableError } from '../observability/loggable-error.ts'

/** A response that is not sent yet. Its body is JSON. */
type ErrorAnswer = { status: number; headers: Record<string, string>; body: string }

/** Logs a request error and returns the response to it: the status of a refusal, 503 while the database is unavailable, otherwise 500. */
export function errorAnswer(error: Error, request: { requestId: string; path: string }, log: Logger): ErrorAnswer {
  const { requestId } = request
  const path = withoutSealed(request.path)
  const answer = (status: number, body: object, headers: Record<string, string> = {}) => ({
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(body),
  })
  if (error instanceof Refusal) {
    const { status, code, message, issues, headers } = error
    log.info({ requestId, path, status, code }, 'refused')
    return answer(status, { message, code, ...(issues && { issues }) }, headers)
  }
  if (isUnavailable(error)) {
    log.error({ requestId, path }, 'database unavailable')
    const message = 'We cannot reach our records right now. Please try again in a moment.'
    return answer(503, { message, code: 'unavailable' }, { 'retry-after': '2' })
  }
  log.error({ requestId, path, error: loggableError(error) }, 'unexpected error')
  return answer(500, { message: 'Internal error', code: 'internal', requestId })
}

/** Like `errorAnswer`, for a request that Hono handles. */
export function errorResponse(error: Error, c: Context, log: Logger): Response {
  const requestId = c.get('requestId' as never) as string
  const { status, headers, body } = errorAnswer(error, { requestId, path: c.req.path }, log)
  return c.body(body, status as 500, headers)
}

/** The sealed part of a stream URL gives access to the stream, so it is not logged. */
const withoutSealed = (path: string): string => path.replace(/^(\/stream\/[^/]+)\/.*$/, '$1')
