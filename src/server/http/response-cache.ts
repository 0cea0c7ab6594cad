import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Config } from '../config.ts'
import { limits } from '../limits.ts'
import { takes } from './accept-encoding.ts'
import { sessionCookieName } from './request.ts'

type Encoding = 'br' | 'gzip' | 'identity'
type Ready = {
  headers: Record<string, string>
  /** Of a list. */
  text: string
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer }
  anyone: boolean
  /** Older than the current one: doubtful. */
  generation: number
}

/** Pages that look the same to every visitor, each with the words that it reads of its query. */
export type PublicPaths = ReadonlyMap<string, readonly string[]>
type Options = { onPage?: (request: IncomingMessage) => void; pages?: PublicPaths | undefined }

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/**
 * Public answers kept as ready bytes and sent before anything else looks at the request: lists for everybody (`anyone`),
 * pages only for visitors without a session cookie. Never another status than 200.
 */
export class ResponseCache {
  readonly #kept = new Map<string, Ready>()
  readonly #askedOnce = new Set<string>()
  readonly #cookie: string
  #generation = 0
  /** How many requests were answered from here, by status. */
  readonly hits = { 200: 0, 304: 0 }
  readonly #onPage: (request: IncomingMessage) => void
  readonly #pages: PublicPaths

  /** `onPage` hears of every page that is sent from here; `pages` are those that may be kept. */
  constructor(config: Pick<Config, 'secureCookies'>, { onPage = () => {}, pages = new Map() }: Options = {}) {
    this.#cookie = `${sessionCookieName(config)}=`
    this.#onPage = onPage
    this.#pages = pages
  }

  /** Forgets everything: the catalogue or the settings changed. */
  drop(): void {
    this.#generation++
    this.#kept.clear()
    this.#askedOnce.clear()
  }

  /** Sends nothing of it any more before it was made again, since changes may have been missed; where that fails it is still there (`doubtful`). */
  doubt(): void {
    this.#generation++
  }

  /** What was kept before it became doubtful: better than no answer at all. */
  doubtful(path: string): Response | undefined {
    const ready = this.#kept.get(path)
    return ready && new Response(new Uint8Array(ready.bodies.identity), { headers: ready.headers })
  }

  /** A list for everybody, for who reads it in process; undefined when it has to be made. */
  list(path: string): Response | undefined {
    const ready = this.#kept.get(path)
    return ready?.anyone && ready.generation === this.#generation
      ? new Response(ready.text, { headers: ready.headers })
      : undefined
  }

  /** How many answers are kept. */
  get kept(): number {
    return this.#kept.size
  }

  get generation(): number {
    return this.#generation
  }

  /** The address that a request is answered for: a visitor's page is the one without the words of its query that it does not read. */
  addressOf({ url = '', headers }: IncomingMessage): string {
    const end = url.indexOf('?')
    const path = url.slice(0, end)
    const words = end < 0 ? undefined : this.#pages.get(path)
    if (!words || headers.cookie?.includes(this.#cookie)) return url
    if (words.length === 0) return path
    const read = url
      .slice(end + 1)
      .split('&')
      .filter((part) => words.some((word) => new URLSearchParams(part).has(word)))
    return read.length === 0 ? path : `${path}?${read.join('&')}`
  }

  /** Whether it is the address of a page that may be kept, as `addressOf` says it. */
  isPage(address: string): boolean {
    return this.#pages.has(address.split('?', 1)[0]!)
  }

  /** Whether the request was answered from memory; with `mayBeDoubtful` also by what may have changed since, for want of anything better. */
  serve(request: IncomingMessage, response: ServerResponse, mayBeDoubtful = false): boolean {
    const ready = this.#kept.get(request.url ?? '')
    if (!ready || (request.method !== 'GET' && request.method !== 'HEAD')) return false
    if (ready.generation !== this.#generation && !mayBeDoubtful) return false
    const { cookie } = request.headers
    if (!ready.anyone && cookie?.includes(this.#cookie)) return false
    if (!ready.anyone && request.method === 'GET') this.#onPage(request)
    if (request.headers['if-none-match'] === ready.headers.etag) {
      this.hits[304]++
      response.writeHead(304, ready.headers).end()
      return true
    }
    this.hits[200]++
    const encoding = accepted(request.headers['accept-encoding'], ready.bodies)
    const body = ready.bodies[encoding]!
    response.writeHead(200, {
      ...ready.headers,
      'content-length': body.length,
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    })
    response.end(request.method === 'HEAD' ? undefined : body)
    return true
  }

  /** Keeps an answer made while `generation` was current; compressed copies follow in the background. */
  keep(path: string, response: Response, body: string, anyone: boolean, generation: number): void {
    if (response.status !== 200 || generation !== this.#generation || response.headers.has('set-cookie')) return
    if (path.includes('?') && !this.#hasRoomFor(path)) return
    const identity = Buffer.from(body)
    const headers = Object.fromEntries(response.headers)
    delete headers['content-length']
    headers.vary = anyone ? 'accept-encoding' : 'accept-encoding, cookie'
    headers.etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`
    const ready: Ready = { headers, text: anyone ? body : '', bodies: { identity }, anyone, generation }
    this.#kept.set(path, ready)
    void compress(identity).then((bodies) => Object.assign(ready.bodies, bodies))
  }

  /** Anybody can think of words for a query. Of pages with some, those are kept that are asked for a second time, and not all of them: the one kept first makes room. */
  #hasRoomFor(path: string): boolean {
    const { pagesWithWords, longestAddress } = limits.ready
    if (path.length > longestAddress) return false
    if (!this.#askedOnce.has(path)) {
      if (this.#askedOnce.size === 10 * pagesWithWords) this.#askedOnce.clear()
      this.#askedOnce.add(path)
      return false
    }
    const kept = [...this.#kept.keys()].filter((each) => each.includes('?'))
    if (kept.length >= pagesWithWords && !this.#kept.has(path)) this.#kept.delete(kept[0]!)
    return true
  }
}

async function compress(identity: Buffer): Promise<{ br: Buffer; gzip: Buffer }> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length }
  const [br, gzipped] = await Promise.all([brotli(identity, { params }), zip(identity, { level: 9 })])
  return { br, gzip: gzipped }
}

function accepted(header: string | string[] | undefined, bodies: Ready['bodies']): Encoding {
  if (bodies.br && takes(header, 'br')) return 'br'
  return bodies.gzip && takes(header, 'gzip') ? 'gzip' : 'identity'
}
