import { once } from 'node:events'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip, createInflate } from 'node:zlib'
import { limits } from '../limits.ts'
import { type Addresses, addressesOf, PrivateAddressError, type ResolveHost } from './addresses.ts'
import { isOutboundHeld } from './outbound-gate.ts'

/**
 * Thrown if a call gets no complete response. `code` is one of ours (`timeout`, `too_large`, `private_address`, `busy`, `held`, `bad_encoding`) or Node's
 * (`ECONNREFUSED`). It contains nothing of the request or response, because URLs may contain credentials.
 */
export class OutboundFailure extends Error {
  override name = 'OutboundFailure'
  readonly code: string
  constructor(code: string) {
    super(`The call failed: ${code}`)
    this.code = code
  }
}

export type OutboundResponse = { status: number; body: string }
export type OutboundFile = { status: number; bytes: Buffer }
export type OutboundCall = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path below `base`; empty for `base` itself. */
  file: string
  query?: Record<string, string> | [string, string][]
  headers?: Record<string, string>
  /** The body: `form` as URL-encoded pairs, or `json`. */
  form?: [string, string][]
  json?: unknown
  bodyBytes?: number
  totalMs?: number
}
type Use<T> = (status: number, body: AsyncIterable<Buffer>) => Promise<T>
type Options = {
  /** Must come from the operator's settings, never from a customer or from another server's response. */
  base: string
  allowPrivate: boolean
  userAgent: string
  /** Certificate authorities (PEM) that replace the default ones. */
  ca?: string
  totalMs?: number
  resolve?: ResolveHost
}

/**
 * The HTTP client for calls to one other server; all outbound calls use it. It follows no redirects, resolves the name once and connects only to the resulting
 * addresses, refuses private addresses unless allowed, and by default fails after 5 s or 256 KiB (decompressed).
 */
export class Outbound {
  readonly #options: Options
  #running = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** Sends a GET. Resolves with the response whatever its status. Throws OutboundFailure. */
  get(file: string, query: Record<string, string>): Promise<OutboundResponse> {
    return this.send({ file, query })
  }

  /** Sends a request. Resolves with the response whatever its status. Throws OutboundFailure. */
  async send(call: OutboundCall): Promise<OutboundResponse> {
    const { status, bytes } = await this.fetch(call)
    return { status, body: new TextDecoder().decode(bytes) }
  }

  /** Like `send`, for a binary response. */
  fetch(call: OutboundCall): Promise<OutboundFile> {
    return this.read(call, async (status, body) => {
      const chunks: Buffer[] = []
      for await (const chunk of body) chunks.push(chunk)
      return { status, bytes: Buffer.concat(chunks) }
    })
  }

  /**
   * Passes the body to `use` as it arrives and resolves with its result; the rest of the body is not read. Throws OutboundFailure, also
   * while `use` reads the body. `use` must not throw errors of its own.
   */
  async read<T>(call: OutboundCall, use: Use<T>): Promise<T> {
    if (await isOutboundHeld()) throw new OutboundFailure('held')
    if (this.#running >= limits.outbound.atOnce) throw new OutboundFailure('busy')
    this.#running++
    const deadline = AbortSignal.timeout(call.totalMs ?? this.#options.totalMs ?? limits.outbound.totalMs)
    try {
      const url = new URL(this.#options.base)
      url.pathname = `${url.pathname.replace(/\/$/, '')}/${call.file}`
      url.search = String(new URLSearchParams(call.query))
      return await this.#exchange(call, url, await orAborted(this.#addresses(url.hostname), deadline), deadline, use)
    } catch (error) {
      throw deadline.aborted ? new OutboundFailure('timeout') : failureOf(error)
    } finally {
      this.#running--
    }
  }

  #addresses(hostname: string): Promise<Addresses> {
    return addressesOf(hostname, this.#options)
  }

  async #exchange<T>(call: OutboundCall, url: URL, addresses: Addresses, signal: AbortSignal, use: Use<T>): Promise<T> {
    const { userAgent, ca } = this.#options
    const body = encodeBody(call)
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      agent: false,
      signal,
      method: call.method ?? 'GET',
      ...(ca && { ca }),
      lookup: pinnedLookup(addresses),
      maxHeaderSize: limits.outbound.headerBytes,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': userAgent,
        ...call.headers,
        ...body?.headers,
      },
    })
    // Without a listener, an error after the response would end the process.
    request.on('error', () => undefined)
    try {
      request.end(body?.body)
      const [response] = (await Promise.race([once(request, 'response'), rejectOnClose(request)])) as [IncomingMessage]
      const maxBytes = call.bodyBytes ?? limits.outbound.bodyBytes
      return await use(response.statusCode ?? 0, atMost(maxBytes, decompress(response, maxBytes)))
    } finally {
      request.destroy()
    }
  }
}

/** Rejects when the request closes without a response, as after a 101 upgrade. */
export async function rejectOnClose(request: ClientRequest): Promise<never> {
  await once(request, 'close')
  throw new OutboundFailure('ECONNRESET')
}

/** Returns a lookup function that always returns the checked addresses, to prevent DNS rebinding. */
export const pinnedLookup =
  (addresses: Addresses): LookupFunction =>
  (_host, options, found) =>
    options.all ? found(null, addresses) : found(null, addresses[0]!.address, addresses[0]!.family)

function encodeBody({ form, json }: OutboundCall): { body: Buffer; headers: Record<string, string> } | undefined {
  if (!form && json === undefined) return undefined
  const body = Buffer.from(form ? String(new URLSearchParams(form)) : JSON.stringify(json))
  return {
    body,
    headers: {
      'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
      'content-length': String(body.byteLength),
    },
  }
}

/** Decompresses the body, since some servers compress despite `accept-encoding: identity`. Compressed bytes are limited too: they may decompress to nothing. */
function decompress(response: IncomingMessage, bytes: number): Readable {
  const encoding = response.headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (encoding === 'identity') return response
  const unpack =
    encoding === 'gzip' || encoding === 'x-gzip' ? createGunzip() : encoding === 'deflate' ? createInflate() : undefined
  if (!unpack) throw new OutboundFailure('bad_encoding')
  const packed = (source: IncomingMessage) => atMost(bytes, source)
  // Errors of the pipeline are thrown to the reader of its last stream.
  return pipeline(response, packed, unpack, () => undefined)
}

async function* atMost(bytes: number, source: Readable): AsyncGenerator<Buffer> {
  let read = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    read += chunk.byteLength
    if (read > bytes) throw new OutboundFailure('too_large')
    yield chunk
  }
}

/**
 * Resolves like `work`, or rejects when the signal aborts (`work` itself, such as a DNS lookup, cannot be cancelled). Removes its listener afterwards: Node
 * keeps a signal of `AbortSignal.any` that has a listener, with everything the listener refers to, for as long as the process runs.
 */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Returns a call error as an OutboundFailure with a code. */
export function failureOf(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error
  if (error instanceof PrivateAddressError) return new OutboundFailure('private_address')
  const { code } = error as { code?: unknown }
  return new OutboundFailure(typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code) ? code : 'broken')
}
