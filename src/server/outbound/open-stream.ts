import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { limits } from '../limits.ts'
import { addressesOf, type ResolveHost } from './addresses.ts'
import { failureOf, OutboundFailure, orAborted, pinnedLookup, rejectOnClose } from './outbound.ts'
import { isOutboundHeld } from './outbound-gate.ts'
import { readIntoOneBuffer } from './read-into-one-buffer.ts'
import { assertStreamAddress, mayBePrivate, type StreamRules } from './stream-address.ts'

/** An open response. `url` is its URL after redirects. Call `close` once the response is no longer needed. */
export type UpstreamResponse = {
  url: URL
  status: number
  headers: IncomingMessage['headers']
  body: IncomingMessage
  close: () => void
}
export type StreamCall = {
  url: URL
  /** `OPTIONS` is a CORS preflight request. */
  method?: 'GET' | 'OPTIONS'
  /** The value of a Range header, with one range. */
  range?: string | undefined
  /** Further headers, for example of a conditional request. */
  headers?: Record<string, string>
  /** Whether the body may be compressed. The caller must then decompress it. */
  mayBePacked?: boolean
  /** How long it may take until the headers arrive, including all redirects, in milliseconds. */
  firstByteMs: number
  signal?: AbortSignal
}

const redirects = new Set([301, 302, 303, 307, 308])

/**
 * Sends a GET, or OPTIONS, and resolves when its headers have arrived; the caller limits the body. Follows at most 3 redirects, each checked like the first
 * URL. Names are resolved once and the connection goes to the resulting addresses; private ones are refused, except for the operator's panel where that is
 * allowed. No cookies and no headers of the viewer are sent. Throws OutboundFailure; a refused redirect has the code `redirect`.
 */
export async function openStream(
  { url, firstByteMs, signal, ...call }: StreamCall,
  rules: StreamRules & { resolve?: ResolveHost },
): Promise<UpstreamResponse> {
  if (await isOutboundHeld()) throw new OutboundFailure('held')
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), firstByteMs)
  const stop = signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal
  try {
    for (let hops = 0, next = url; ; hops++) {
      const response = await exchange(next, call, stop, rules, hops > 0)
      const { location } = response.headers
      if (!redirects.has(response.status) || location === undefined) return response
      response.close()
      if (hops === limits.relay.redirects) throw new OutboundFailure('redirect')
      const target = URL.parse(location, next.href)
      if (!target || (next.protocol === 'https:' && target.protocol === 'http:')) throw new OutboundFailure('redirect')
      next = target
    }
  } catch (error) {
    if (timeout.signal.aborted) throw new OutboundFailure('timeout')
    throw signal?.aborted ? new OutboundFailure('aborted') : failureOf(error)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Resolves the host name of a stream URL once, for a proxy that calls it. The returned `url` contains the IP address instead of the name. Throws
 * OutboundFailure like `openStream`.
 */
export async function pinnedAddress(
  url: URL,
  signal: AbortSignal,
  rules: StreamRules & { resolve?: ResolveHost },
): Promise<{ url: string; host: string; name: string }> {
  if (await isOutboundHeld()) throw new OutboundFailure('held')
  const [first] = await checked(url, signal, rules, false)
  const pinned = new URL(url)
  pinned.hostname = first!.family === 6 ? `[${first!.address}]` : first!.address
  pinned.port = url.port || (url.protocol === 'https:' ? '443' : '80')
  // Assembled here because `URL` omits the default port of the protocol, and without the fragment, which must not be sent.
  const port = pinned.port || (url.protocol === 'https:' ? '443' : '80')
  return {
    url: `${url.protocol}//${pinned.hostname}:${port}${url.pathname}${url.search}`,
    host: url.host,
    name: url.hostname,
  }
}

async function exchange(
  url: URL,
  { method = 'GET', range, headers, mayBePacked }: Pick<StreamCall, 'method' | 'range' | 'headers' | 'mayBePacked'>,
  signal: AbortSignal,
  rules: StreamRules & { resolve?: ResolveHost },
  isRedirected: boolean,
): Promise<UpstreamResponse> {
  const addresses = await checked(url, signal, rules, isRedirected)
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    method,
    agent: false,
    ...readIntoOneBuffer,
    lookup: pinnedLookup(addresses),
    maxHeaderSize: limits.outbound.headerBytes,
    headers: {
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': rules.userAgent,
      ...(range && { range }),
      ...headers,
    },
  })
  const close = () => request.destroy()
  // Without a listener, an error after the response would end the process.
  request.on('error', () => undefined)
  try {
    request.end()
    const [body] = (await orAborted(Promise.race([once(request, 'response'), rejectOnClose(request)]), signal)) as [
      IncomingMessage,
    ]
    const encoding = body.headers['content-encoding']?.toLowerCase() ?? 'identity'
    const isPlain = encoding === 'identity' || encoding === ''
    if (!isPlain && !(mayBePacked && /^(x-)?gzip$/.test(encoding))) throw new OutboundFailure('bad_encoding')
    body.on('error', () => undefined)
    return { url, status: body.statusCode ?? 0, headers: body.headers, body, close }
  } catch (error) {
    close()
    throw error
  }
}

async function checked(
  url: URL,
  signal: AbortSignal,
  rules: StreamRules & { resolve?: ResolveHost },
  isRedirected: boolean,
) {
  try {
    assertStreamAddress(url, rules)
    const allowPrivate = mayBePrivate(url, rules)
    return await orAborted(
      addressesOf(url.hostname, { allowPrivate, ...(rules.resolve && { resolve: rules.resolve }) }),
      signal,
    )
  } catch (error) {
    const failure = failureOf(error)
    const isRule = !/^[A-Z]/.test(failure.code)
    throw isRedirected && isRule && !signal.aborted ? new OutboundFailure('redirect') : failure
  }
}
