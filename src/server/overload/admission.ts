import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { AnyEndpoint, RateClass } from '#kit/endpoint.ts'
import type { Config } from '../config.ts'
import { setCommonHeaders } from '../http/headers.ts'
import { sessionTokenIn } from '../http/request.ts'
import { limits } from '../limits.ts'
import { ConcurrencyLimiter, type LimiterName } from './concurrency-limiter.ts'
import { type Slot, slotOf, type WaitingRequests } from './slot.ts'

/** Limiters of endpoints that hash passwords, call another server, receive large files, or stream to slow readers; `general` for all others. */
const limiterOfClass: Partial<Record<RateClass, LimiterName>> = {
  login: 'logins',
  register: 'hashing',
  account: 'hashing',
  recovery: 'hashing',
  adminReset: 'hashing',
  iptv: 'outside',
  export: 'outside',
  play: 'outside',
  seek: 'outside',
  selfCheck: 'outside',
  ticketPicture: 'uploads',
  staffPicture: 'uploads',
}
const message = 'We are very busy right now. Please try again in a moment.'
const jsonBody = JSON.stringify({ message, code: 'busy' })
const htmlBody = `<!doctype html><html lang="en"><meta charset="utf-8"><title>One moment please</title><h1>One moment please</h1><p>${message}</p></html>`
const warnEveryMs = 10_000

/**
 * Admission control: decides before any work is done whether a request starts, waits or gets 503 (decision 030). Responses from the
 * cache and `/healthz` bypass it. Administrators have reserved capacity.
 */
export class Admission {
  readonly limiters: Record<LimiterName, ConcurrencyLimiter> = {
    general: new ConcurrencyLimiter(limits.admission.general, () => this.#scheduleGarbageCollection()),
    files: new ConcurrencyLimiter(limits.admission.files),
    hashing: new ConcurrencyLimiter(limits.admission.hashing, () => this.#scheduleGarbageCollection()),
    logins: new ConcurrencyLimiter(limits.admission.logins),
    administratorLogins: new ConcurrencyLimiter(limits.admission.administratorLogins),
    outside: new ConcurrencyLimiter(limits.admission.outside),
    uploads: new ConcurrencyLimiter(limits.admission.uploads),
    streams: new ConcurrencyLimiter(limits.admission.streams),
    reserved: new ConcurrencyLimiter(limits.admission.reserved),
  }
  readonly #config: Config
  readonly #log: Pick<Logger, 'warn'>
  readonly #limiterOfEndpoint: Map<string, LimiterName>
  /** The limiters of endpoints whose paths contain parameters. */
  readonly #limiterOfPattern: readonly (readonly [RegExp, LimiterName])[]
  /** The session tokens of administrators and when each was last used. Their requests get reserved capacity; the tokens grant no permissions here. */
  readonly #administrators = new Map<string, number>()
  readonly #refusalHeaders: Record<'json' | 'html', Record<string, string>>
  readonly #slots = new WeakMap<IncomingMessage, Slot>()
  readonly #waiting: WaitingRequests
  #warnedAt = Number.NEGATIVE_INFINITY
  #collectionTimer: NodeJS.Timeout | undefined

  /** `wait` pauses a request that holds no slot. Tests replace it. */
  constructor(
    config: Config,
    endpoints: AnyEndpoint[],
    log: Pick<Logger, 'warn'>,
    wait: WaitingRequests['pause'] = pause,
  ) {
    this.#waiting = { pause: wait, count: 0 }
    this.#config = config
    this.#log = log
    if (config.streamMost !== undefined)
      this.limiters.streams = new ConcurrencyLimiter({ ...limits.admission.streams, atOnce: config.streamMost })
    this.#limiterOfEndpoint = new Map(
      endpoints.flatMap(({ id, limit }) => {
        const name = limit && limiterOfClass[limit]
        return name ? [[id, name] as const] : []
      }),
    )
    this.#limiterOfPattern = [...this.#limiterOfEndpoint]
      .filter(([id]) => id.includes(':'))
      .map(([id, name]) => [new RegExp(`^${id.replaceAll(/:\w+/g, '[^/]+')}$`), name])
    this.#refusalHeaders = {
      json: refusalHeaders(config, 'application/json; charset=utf-8'),
      html: refusalHeaders(config, 'text/html; charset=utf-8'),
    }
  }

  /** Records that the database just identified this session as an administrator's. */
  rememberAdministrator(token: string): void {
    this.#administrators.delete(token)
    this.#administrators.set(token, performance.now())
    if (this.#administrators.size > limits.admission.administrators)
      this.#administrators.delete(this.#administrators.keys().next().value as string)
  }

  /**
   * Calls `start` when the request may run, immediately or after waiting. A rejected request is answered by `serveStale` if that returns
   * true, otherwise with 503.
   */
  admit(request: IncomingMessage, response: ServerResponse, start: () => void, serveStale: () => boolean): void {
    const path = (request.url ?? '/').split('?', 1)[0]!
    if (path === '/healthz') {
      start()
      return
    }
    const { limiters } = this
    const usual = this.#limiterFor(`${request.method} ${path}`)
    const limiter = !limiters[usual].isFree && this.#isAdministrator(request) ? 'reserved' : usual
    const begin = (release: () => void) => {
      this.#slots.set(request, slotOf({ request, response, limiters, limiter, release }, this.#waiting))
      start()
    }
    const refuse = () => {
      if (response.destroyed || serveStale()) return
      this.#warnOverloaded()
      const kind = path.startsWith('/api/') ? 'json' : 'html'
      response.writeHead(503, this.#refusalHeaders[kind]).end(kind === 'json' ? jsonBody : htmlBody)
    }
    const isPage = !path.startsWith('/api/') && sessionTokenIn(request.headers.cookie, this.#config) !== undefined
    limiters[limiter].enter({ request, response }, begin, refuse, isPage ? 'page' : 'call')
  }

  /** The slot of an admitted request. */
  slotOf(request: IncomingMessage | undefined): Slot | undefined {
    return request && this.#slots.get(request)
  }

  #limiterFor(id: string): LimiterName {
    if (id === 'GET /readyz' || id === 'GET /metrics') return 'reserved'
    if (id.startsWith('GET /stream/')) return 'streams'
    if (playsOnTv.test(id)) return 'outside'
    const endpoint = this.#limiterOfEndpoint.get(id) ?? this.#limiterOfPattern.find(([shape]) => shape.test(id))?.[1]
    return endpoint ?? (looksLikeFile.test(id) ? 'files' : 'general')
  }

  #isAdministrator({ headers }: IncomingMessage): boolean {
    const token = sessionTokenIn(headers.cookie, this.#config)
    const seen = token === undefined ? undefined : this.#administrators.get(token)
    return seen !== undefined && performance.now() - seen < limits.admission.administratorMs
  }

  /** After an overload V8 keeps the garbage while few new objects are allocated, so collect it once the process is idle. */
  #scheduleGarbageCollection(): void {
    this.#collectionTimer ??= setTimeout(() => {
      this.#collectionTimer = undefined
      if (Object.values(this.limiters).every((limiter) => limiter.isFree))
        globalThis.gc?.({ type: 'major', execution: 'async' })
    }, limits.admission.collectGarbageAfterMs).unref()
  }

  #warnOverloaded(): void {
    if (performance.now() - this.#warnedAt < warnEveryMs) return
    this.#warnedAt = performance.now()
    this.#log.warn(
      Object.fromEntries(
        Object.entries(this.limiters).map(([name, { running, waiting, rejected }]) => [
          name,
          { running, waiting, rejected },
        ]),
      ),
      'overloaded: shedding requests',
    )
  }
}

// Requests with which a TV app opens a channel. They call the panel.
const playsOnTv = /^(GET|POST) \/((live|timeshift)\/|[a-z0-9]{8}\/[a-z0-9]{16}\/\d)/

// Requests for files are limited too: a missing file renders the 404 page, which is expensive.
const looksLikeFile = /^GET \/(?!api\/).*\.[a-z0-9]{2,12}$/

function refusalHeaders(config: Config, type: string): Record<string, string> {
  const all = new Headers({
    'content-type': type,
    'cache-control': 'no-store',
    'retry-after': String(limits.admission.retryAfterSeconds),
  })
  setCommonHeaders(all, config)
  return Object.fromEntries(all)
}
