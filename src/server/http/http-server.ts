import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { App } from '../app.ts'
import type { Drain } from '../cluster/drain.ts'
import type { Config } from '../config.ts'
import { limits } from '../limits.ts'
import { wantsSocket } from '../live/socket.ts'
import type { Admission } from '../overload/admission.ts'
import { answerBroken } from './bare-response.ts'
import { secure } from './headers.ts'
import { hasOneHost } from './request.ts'
import { sendText } from './text-response.ts'

export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * The product's server with its limits. Only `/ws` can be asked for another protocol; elsewhere a request that wants one is answered
 * like any other instead of being left waiting. `anyUpgrade`: the development server has a line of its own.
 */
export function httpServer(config: Pick<Config, 'secureCookies' | 'hsts'>, { anyUpgrade = false } = {}): Server {
  const server = createServer({
    maxHeaderSize: limits.http.maxHeaderBytes,
    headersTimeout: limits.http.headersTimeoutMs,
    requestTimeout: limits.http.requestTimeoutMs,
    connectionsCheckingInterval: limits.http.checkMs,
    keepAliveTimeout: limits.http.keepAliveTimeoutMs,
    keepAliveTimeoutBuffer: limits.http.keepAliveBufferMs,
    // A request without one is refused below, with the headers of every answer.
    requireHostHeader: false,
    ...(!anyUpgrade && { shouldUpgradeCallback: wantsSocket }),
  })
  server.maxConnections = limits.http.maxConnections
  answerBroken(server, config)
  return server
}

/** What a request passes in a process that serves. */
type Gates = { drain?: Drain; admission?: Admission }

/** Answers requests, from memory where that is possible. What is no request at all, such as one for an impossible host, is refused as everything is. */
export function answering(
  { hono, ready }: App,
  config: Pick<Config, 'secureCookies' | 'hsts'>,
  { drain, admission }: Gates = {},
): Listener {
  const malformedText = JSON.stringify({ message: 'The request cannot be understood', code: 'malformed_request' })
  const malformedHeaders = new Headers({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    connection: 'close',
    'content-length': String(malformedText.length),
  })
  secure(malformedHeaders, config)
  const malformed = Object.fromEntries(malformedHeaders)
  const errorHandler = (error: unknown) => {
    const refusal =
      error instanceof RequestError
        ? Response.json({ message: 'The request cannot be understood', code: 'malformed_request' }, { status: 400 })
        : Response.json({ message: 'Internal error', code: 'internal' }, { status: 500 })
    refusal.headers.set('cache-control', 'no-store')
    secure(refusal.headers, config)
    return refusal
  }
  const answered = async (request: Request, env: HttpBindings) => {
    const response = await hono.fetch(request, env)
    return sendText(response, env.outgoing) ? RESPONSE_ALREADY_SENT : response
  }
  const handle = getRequestListener((request, env) => answered(request, env as HttpBindings), {
    overrideGlobalObjects: false,
    errorHandler,
  })
  const answer: Listener = (request, response) => {
    if (!hasOneHost(request)) {
      response.writeHead(400, malformed).end(malformedText)
      return
    }
    request.url = ready.addressOf(request)
    if (drain?.begun) response.shouldKeepAlive = false
    const fromMemory = (mayBeDoubtful = false) => ready.serve(request, response, mayBeDoubtful)
    if (drain?.holds(() => answer(request, response)) || fromMemory()) return
    drain?.answering(response)
    if (admission)
      admission.admit(
        request,
        response,
        () => void handle(request, response),
        () => fromMemory(true),
      )
    else void handle(request, response)
  }
  return answer
}
