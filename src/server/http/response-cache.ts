import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Config } from '../config.ts'
import { limits } from '../limits.ts'
import { acceptsEncoding } from './accept-encoding.ts'
import { sessionCookieName } from './request.ts'
import { textResponse } from './text-response.ts'

type Encoding = 'br' | 'gzip' | 'identity'
type CachedResponse = {
  headers: Record<string, string>
  /** The body of a list; empty for pages. */
  text: string
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer }
  /** Whether the response is the same for all callers, signed in or not. */
  anyone: boolean
  isImage?: boolean
  /** An entry is stale if its generation is older than the current one. */
  generation: number
}

/** Paths of pages that are the same for every visitor, each with the query parameters that it reads. */
export type PublicPaths = ReadonlyMap<string, readonly string[]>
type Options = { onPage?: (request: IncomingMessage) => void; pages?: PublicPaths | undefined }

const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

/**
 * In-memory cache of public responses, served before any other processing of the request: lists for all callers (`anyone`), pages for
 * visitors without a session cookie. Only responses with status 200 are cached. Stale-if-error: after `markStale` every entry is
 * regenerated before its next use, and served only if regeneration fails.
 */
export class ResponseCache {
  readonly #entries = new Map<string, CachedResponse>()
  readonly #requestedOnce = new Set<string>()
  readonly #cookie: string
  #generation = 0
  /** How many requests were answered from the cache, by status. */
  readonly hits = { 200: 0, 304: 0 }
  readonly #onPage: (request: IncomingMessage) => void
  readonly #pages: PublicPaths

  /** `onPage` is called for every page served from the cache. `pages` are those that may be cached. */
  constructor(config: Pick<Config, 'secureCookies'>, { onPage = () => {}, pages = new Map() }: Options = {}) {
    this.#cookie = `${sessionCookieName(config)}=`
    this.#onPage = onPage
    this.#pages = pages
  }

  /** Removes all entries, because the catalog or the settings changed. */
  clear(): void {
    this.#generation++
    this.#entries.clear()
    this.#requestedOnce.clear()
  }

  /** Marks every entry stale, because change notifications may have been lost. */
  markStale(): void {
    this.#generation++
  }

  /** Returns the cached response even if it is stale, for requests that would fail otherwise. */
  staleResponse(path: string): Response | undefined {
    const entry = this.#entries.get(path)
    return entry && new Response(new Uint8Array(entry.bodies.identity), { headers: entry.headers })
  }

  /** Returns a fresh list for pages rendered in this process; undefined if it has to be regenerated. */
  freshList(path: string): Response | undefined {
    const entry = this.#entries.get(path)
    return entry?.anyone && entry.generation === this.#generation
      ? textResponse(entry.text, new Headers(entry.headers))
      : undefined
  }

  /** The number of entries. */
  get size(): number {
    return this.#entries.size
  }

  get generation(): number {
    return this.#generation
  }

  /** Returns the cache key of a request: its URL. For a visitor's page, the query parameters that the page does not read are removed. */
  addressOf({ url = '', headers }: IncomingMessage): string {
    const end = url.indexOf('?')
    const path = url.slice(0, end)
    const parameters = end < 0 ? undefined : this.#pages.get(path)
    if (!parameters || headers.cookie?.includes(this.#cookie)) return url
    if (parameters.length === 0) return path
    const read = url
      .slice(end + 1)
      .split('&')
      .filter((part) => parameters.some((parameter) => new URLSearchParams(part).has(parameter)))
    return read.length === 0 ? path : `${path}?${read.join('&')}`
  }

  /** Whether a cache key is that of a page that may be cached. */
  isPage(address: string): boolean {
    return this.#pages.has(address.split('?', 1)[0]!)
  }

  /** Answers the request from the cache and returns whether it did. `allowStale` also allows stale entries. */
  serve(request: IncomingMessage, response: ServerResponse, allowStale = false): boolean {
    const entry = this.#entries.get(request.url ?? '')
    if (!entry || (request.method !== 'GET' && request.method !== 'HEAD')) return false
    if (entry.generation !== this.#generation && !allowStale) return false
    const { cookie } = request.headers
    if (!entry.anyone && cookie?.includes(this.#cookie)) return false
    if (!entry.anyone && request.method === 'GET') this.#onPage(request)
    if (request.headers['if-none-match'] === entry.headers.etag) {
      this.hits[304]++
      response.writeHead(304, entry.headers).end()
      return true
    }
    this.hits[200]++
    const encoding = accepted(request.headers['accept-encoding'], entry.bodies)
    const body = entry.bodies[encoding]!
    response.writeHead(200, {
      ...entry.headers,
      'content-length': body.length,
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    })
    response.end(request.method === 'HEAD' ? undefined : body)
    return true
  }

  /** Caches a response that was generated while `generation` was current. Compressed copies are added in the background. */
  store(path: string, response: Response, body: string, anyone: boolean, generation: number): void {
    if (response.status !== 200 || generation !== this.#generation || response.headers.has('set-cookie')) return
    if (path.includes('?') && !this.#mayCacheQuery(path)) return
    const entry = this.#add(path, response, Buffer.from(body), anyone)
    if (anyone) entry.text = body
    void compress(entry.bodies.identity).then((bodies) => Object.assign(entry.bodies, bodies))
  }

  /** Caches an image, which is not compressed again. Evicts the oldest images if the limit is exceeded. */
  storeImage(path: string, response: Response, image: Buffer): void {
    const images = [...this.#entries].filter(([, { isImage }]) => isImage)
    let total = images.reduce((sum, [, { bodies }]) => sum + bodies.identity.length, image.length)
    for (const [address, { bodies }] of images) {
      if (total <= limits.responseCache.imageBytes) break
      this.#entries.delete(address)
      total -= bodies.identity.length
    }
    this.#add(path, response, image, true).isImage = true
  }

  #add(path: string, response: Response, identity: Buffer, anyone: boolean): CachedResponse {
    const headers = Object.fromEntries(response.headers)
    delete headers['content-length']
    headers.vary = anyone ? 'accept-encoding' : 'accept-encoding, cookie'
    headers.etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`
    const entry: CachedResponse = { headers, text: '', bodies: { identity }, anyone, generation: this.#generation }
    this.#entries.set(path, entry)
    return entry
  }

  /**
   * Limits the memory that pages with arbitrary query strings can use: such a page is cached only at the second request, and the oldest one is evicted if there
   * are too many.
   */
  #mayCacheQuery(path: string): boolean {
    const { pagesWithQuery, maxAddressLength } = limits.responseCache
    if (path.length > maxAddressLength) return false
    if (!this.#requestedOnce.has(path)) {
      if (this.#requestedOnce.size === 10 * pagesWithQuery) this.#requestedOnce.clear()
      this.#requestedOnce.add(path)
      return false
    }
    const withQuery = [...this.#entries.keys()].filter((each) => each.includes('?'))
    if (withQuery.length >= pagesWithQuery && !this.#entries.has(path)) this.#entries.delete(withQuery[0]!)
    return true
  }
}

async function compress(identity: Buffer): Promise<{ br: Buffer; gzip: Buffer }> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length }
  const [br, gzipped] = await Promise.all([brotliAsync(identity, { params }), gzipAsync(identity, { level: 9 })])
  return { br, gzip: gzipped }
}

function accepted(header: string | string[] | undefined, bodies: CachedResponse['bodies']): Encoding {
  if (bodies.br && acceptsEncoding(header, 'br')) return 'br'
  return bodies.gzip && acceptsEncoding(header, 'gzip') ? 'gzip' : 'identity'
}
