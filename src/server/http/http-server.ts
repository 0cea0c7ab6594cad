import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { App } from '../app.ts'
import type { Drain } from '../cluster/drain.ts'
import type { Config } from '../config.ts'
import { limits } from '../limits.ts'
import { wantsSocket } from '../live/socket.ts'
import type { Admission } from '../overload/admission.ts'
import { handleMalformedRequests } from './bare-response.ts'
import { setCommonHeaders } from './headers.ts'
import { hasOneHost } from './request.ts'
import { sendText } from './text-response.ts'

export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Creates the HTTP server with its limits. Only `/ws` accepts protocol upgrades; elsewhere a request with an Upgrade header is answered
 * normally. `anyUpgrade` allows upgrades everywhere, for the development server's own WebSocket.
 */
export function httpServer(config: Pick<Config, 'secureCookies' | 'hsts'>, { anyUpgrade = false } = {}): Server {
  const server = createServer({
    maxHeaderSize: limits.http.maxHeaderBytes,
    headersTimeout: limits.http.headersTimeoutMs,
    requestTimeout: limits.http.requestTimeoutMs,
    connectionsCheckingInterval: limits.http.checkMs,
    keepAliveTimeout: limits.http.keepAliveTimeoutMs,
    keepAliveTimeoutBuffer: limits.http.keepAliveBufferMs,
    // A request without a Host header is refused below, with the common headers.
    requireHostHeader: false,
    ...(!anyUpgrade && { shouldUpgradeCallback: wantsSocket }),
  })
  server.maxConnections = limits.http.maxConnections
  handleMalformedRequests(server, config)
  return server
}

/** What a request passes through before it is handled. */
type Guards = { drain?: Drain; admission?: Admission }

/**
 * Returns the request listener: it answers from the response cache if possible. Otherwise the request passes admission control and, unless `answerDirectly`
 * answers it, is handled by Hono.
 */
export function requestListener(
  { hono, responseCache, answerDirectly }: App,
  config: Pick<Config, 'secureCookies' | 'hsts'>,
  { drain, admission }: Guards = {},
): Listener {
  const malformedText = JSON.stringify({ message: 'The request cannot be understood', code: 'malformed_request' })
  const malformedHeaders = new Headers({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    connection: 'close',
    'content-length': String(malformedText.length),
  })
  setCommonHeaders(malformedHeaders, config)
  const malformed = Object.fromEntries(malformedHeaders)
  const errorHandler = (error: unknown) => {
    const refusal =
      error instanceof RequestError
        ? Response.json({ message: 'The request cannot be understood', code: 'malformed_request' }, { status: 400 })
        : Response.json({ message: 'Internal error', code: 'internal' }, { status: 500 })
    refusal.headers.set('cache-control', 'no-store')
    setCommonHeaders(refusal.headers, config)
    return refusal
  }
  const respond = async (request: Request, env: HttpBindings) => {
    const response = await hono.fetch(request, env)
    return sendText(response, env.outgoing) ? RESPONSE_ALREADY_SENT : response
  }
  const handle = getRequestListener((request, env) => respond(request, env as HttpBindings), {
    overrideGlobalObjects: false,
    errorHandler,
  })
  const run = (request: IncomingMessage, response: ServerResponse) => {
    if (!answerDirectly(request, response)) void handle(request, response)
  }
  const answer: Listener = (request, response) => {
    if (!hasOneHost(request)) {
      response.writeHead(400, malformed).end(malformedText)
      return
    }
    request.url = responseCache.addressOf(request)
    if (drain?.begun) response.shouldKeepAlive = false
    const fromCache = (allowStale = false) => responseCache.serve(request, response, allowStale)
    if (drain?.delay(() => answer(request, response)) || fromCache()) return
    drain?.track(response)
    if (admission)
      admission.admit(
        request,
        response,
        () => run(request, response),
        () => fromCache(true),
      )
    else run(request, response)
  }
  return answer
}
