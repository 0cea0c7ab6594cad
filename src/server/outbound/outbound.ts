import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip, createInflate } from 'node:zlib'
import { isPrivate } from '../http/private-address.ts'
import { limits } from '../limits.ts'
import { isOutboundHeld } from './outbound-gate.ts'

/**
 * A call that brought no whole answer. `code` is one of ours (`timeout`, `too_large`, `private_address`, `busy`, `held`,
 * `bad_encoding`) or Node's (`ECONNREFUSED`); nothing of what was asked or answered is in it, for addresses may carry credentials.
 */
export class OutboundFailure extends Error {
  override name = 'OutboundFailure'
  readonly code: string
  constructor(code: string) {
    super(`The call failed: ${code}`)
    this.code = code
  }
}

export type OutboundAnswer = { status: number; body: string }
export type OutboundFile = { status: number; bytes: Buffer }
export type OutboundCall = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the base; empty for the base itself. */
  file: string
  query?: Record<string, string>
  headers?: Record<string, string>
  /** Fields of a form as pairs, or anything else as JSON. */
  form?: [string, string][]
  json?: unknown
  bodyBytes?: number
  totalMs?: number
}
type Use<T> = (status: number, body: AsyncIterable<Buffer>) => Promise<T>
type Addresses = { address: string; family: number }[]
type Options = {
  /** From the operator's settings, never from a customer or from what another server said. */
  base: string
  allowPrivate: boolean
  userAgent: string
  /** Certificates (PEM) that take the place of the usual authorities. */
  ca?: string
  totalMs?: number
  resolve?: (host: string) => Promise<Addresses>
}

/**
 * The one client for calls to other servers, bound to one of them. Follows no redirects, resolves the name once and speaks only to
 * what that gave, refuses private addresses unless allowed, and ends after 5 s and 256 KiB (unpacked) whatever comes.
 */
export class Outbound {
  readonly #options: Options
  readonly #resolve: (host: string) => Promise<Addresses>
  #underWay = 0

  constructor(options: Options) {
    this.#options = options
    this.#resolve = options.resolve ?? ((host) => lookup(host, { all: true }))
  }

  /** The answer to a GET, whatever its status. Throws OutboundFailure. */
  get(file: string, query: Record<string, string>): Promise<OutboundAnswer> {
    return this.send({ file, query })
  }

  /** The answer to a call, whatever its status. Throws OutboundFailure. */
  async send(call: OutboundCall): Promise<OutboundAnswer> {
    const { status, bytes } = await this.fetch(call)
    return { status, body: new TextDecoder().decode(bytes) }
  }

  /** The same for what is no text. */
  fetch(call: OutboundCall): Promise<OutboundFile> {
    return this.read(call, async (status, body) => {
      const chunks: Buffer[] = []
      for await (const chunk of body) chunks.push(chunk)
      return { status, bytes: Buffer.concat(chunks) }
    })
  }

  /**
   * What `use` makes of the body while it arrives, piece by piece; the rest is not read once `use` is done. Throws OutboundFailure, also in the
   * middle of the body; `use` must throw nothing of its own.
   */
  async read<T>(call: OutboundCall, use: Use<T>): Promise<T> {
    if (await isOutboundHeld()) throw new OutboundFailure('held')
    if (this.#underWay >= limits.outbound.atOnce) throw new OutboundFailure('busy')
    this.#underWay++
    const deadline = AbortSignal.timeout(call.totalMs ?? this.#options.totalMs ?? limits.outbound.totalMs)
    try {
      const url = new URL(this.#options.base)
      url.pathname = `${url.pathname.replace(/\/$/, '')}/${call.file}`
      url.search = String(new URLSearchParams(call.query))
      return await this.#exchange(call, url, await orAborted(this.#addresses(url.hostname), deadline), deadline, use)
    } catch (error) {
      throw deadline.aborted ? new OutboundFailure('timeout') : failureOf(error)
    } finally {
      this.#underWay--
    }
  }

  async #addresses(hostname: string): Promise<Addresses> {
    const host = hostname.replace(/^\[|\]$/g, '')
    const family = isIP(host)
    const found = family ? [{ address: host, family }] : await this.#resolve(host)
    if (found.length === 0) throw new OutboundFailure('ENOTFOUND')
    if (!this.#options.allowPrivate && found.some(({ address }) => isPrivate(address)))
      throw new OutboundFailure('private_address')
    return found
  }

  async #exchange<T>(call: OutboundCall, url: URL, addresses: Addresses, signal: AbortSignal, use: Use<T>): Promise<T> {
    const { userAgent, ca } = this.#options
    const sent = written(call)
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      agent: false,
      signal,
      method: call.method ?? 'GET',
      ...(ca && { ca }),
      lookup: pinnedTo(addresses),
      maxHeaderSize: limits.outbound.headerBytes,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': userAgent,
        ...call.headers,
        ...sent?.headers,
      },
    })
    // An error may follow the answer; without a listener it would end the process.
    request.on('error', () => undefined)
    try {
      request.end(sent?.body)
      const [response] = (await Promise.race([once(request, 'response'), endOf(request)])) as [IncomingMessage]
      const most = call.bodyBytes ?? limits.outbound.bodyBytes
      return await use(response.statusCode ?? 0, atMost(most, unpacked(response, most)))
    } finally {
      request.destroy()
    }
  }
}

/** A change of protocol closes the request without a word. */
async function endOf(request: ClientRequest): Promise<never> {
  await once(request, 'close')
  throw new OutboundFailure('ECONNRESET')
}

/** Gives the addresses that were checked, whatever the name means by now. */
const pinnedTo =
  (addresses: Addresses): LookupFunction =>
  (_host, options, found) =>
    options.all ? found(null, addresses) : found(null, addresses[0]!.address, addresses[0]!.family)

function written({ form, json }: OutboundCall): { body: Buffer; headers: Record<string, string> } | undefined {
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

/** Servers compress even when asked not to. Packed bytes are counted too: they may unpack to nothing for ever. */
function unpacked(response: IncomingMessage, bytes: number): Readable {
  const encoding = response.headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (encoding === 'identity') return response
  const unpack =
    encoding === 'gzip' || encoding === 'x-gzip' ? createGunzip() : encoding === 'deflate' ? createInflate() : undefined
  if (!unpack) throw new OutboundFailure('bad_encoding')
  const packed = (source: IncomingMessage) => atMost(bytes, source)
  // What fails in here is thrown to whoever reads the end of it.
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

/** A name server cannot be told to stop; nobody waits for it any longer. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return Promise.race([work, once(signal, 'abort').then((): never => signal.throwIfAborted() as never)])
}

function failureOf(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error
  const { code } = error as { code?: unknown }
  return new OutboundFailure(typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code) ? code : 'broken')
}
