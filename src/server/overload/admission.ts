import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { AnyEndpoint, RateClass } from '#kit/endpoint.ts'
import type { Config } from '../config.ts'
import { secure } from '../http/headers.ts'
import { sessionTokenIn } from '../http/request.ts'
import { limits } from '../limits.ts'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'
import { type Slot, slotOf, type Waiting } from './slot.ts'

export type LimiterName = 'general' | 'files' | 'hashing' | 'logins' | 'administratorLogins' | 'outside' | 'reserved'

/** Endpoints of these classes compare or make password hashes, or wait for somebody else's server or for a slow reader. */
const laneOfClass: Partial<Record<RateClass, LimiterName>> = {
  login: 'logins',
  register: 'hashing',
  account: 'hashing',
  recovery: 'hashing',
  adminReset: 'hashing',
  iptv: 'outside',
  export: 'outside',
}
const message = 'We are very busy right now. Please try again in a moment.'
const json = JSON.stringify({ message, code: 'busy' })
const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>One moment please</title><h1>One moment please</h1><p>${message}</p></html>`
const sayEveryMs = 10_000

/**
 * Decides before any work is done whether a request is taken on or told 503 at once (decision 030). What is sent from memory
 * and `/healthz` pass; administrators have room of their own.
 */
export class Admission {
  readonly lanes: Record<LimiterName, ConcurrencyLimiter> = {
    general: new ConcurrencyLimiter(limits.admission.general, () => this.#calm()),
    files: new ConcurrencyLimiter(limits.admission.files),
    hashing: new ConcurrencyLimiter(limits.admission.hashing, () => this.#calm()),
    logins: new ConcurrencyLimiter(limits.admission.logins),
    administratorLogins: new ConcurrencyLimiter(limits.admission.administratorLogins),
    outside: new ConcurrencyLimiter(limits.admission.outside),
    reserved: new ConcurrencyLimiter(limits.admission.reserved),
  }
  readonly #config: Config
  readonly #log: Pick<Logger, 'warn'>
  readonly #laneOf: Map<string, LimiterName>
  /** Tokens by which an administrator was seen, and when last. It gives precedence, never a right. */
  readonly #administrators = new Map<string, number>()
  readonly #answers: Record<'json' | 'html', Record<string, string>>
  readonly #slots = new WeakMap<IncomingMessage, Slot>()
  readonly #waiting: Waiting
  #saidAt = Number.NEGATIVE_INFINITY
  #tidying: NodeJS.Timeout | undefined

  /** `wait` is how requests wait without a slot. */
  constructor(config: Config, endpoints: AnyEndpoint[], log: Pick<Logger, 'warn'>, wait: Waiting['pause'] = pause) {
    this.#waiting = { pause: wait, count: 0 }
    this.#config = config
    this.#log = log
    this.#laneOf = new Map(
      endpoints.flatMap(({ id, limit }) => {
        const lane = limit && laneOfClass[limit]
        return lane ? [[id, lane] as const] : []
      }),
    )
    this.#answers = {
      json: headers(config, 'application/json; charset=utf-8'),
      html: headers(config, 'text/html; charset=utf-8'),
    }
  }

  /** The session of this token is an administrator's, as the database just said. */
  sawAdministrator(token: string): void {
    this.#administrators.delete(token)
    this.#administrators.set(token, performance.now())
    if (this.#administrators.size > limits.admission.administrators)
      this.#administrators.delete(this.#administrators.keys().next().value as string)
  }

  /** Calls `start` when the request is taken on, at once or in its turn; otherwise answers it, unless `spare` tells that it did. */
  admit(request: IncomingMessage, response: ServerResponse, start: () => void, spare: () => boolean): void {
    const path = (request.url ?? '/').split('?', 1)[0]!
    if (path === '/healthz') {
      start()
      return
    }
    const { lanes } = this
    const own = this.#nameFor(`${request.method} ${path}`)
    const lane = !lanes[own].isFree && this.#isAdministrator(request) ? 'reserved' : own
    const begin = (release: () => void) => {
      this.#slots.set(request, slotOf({ request, response, lanes, lane, release }, this.#waiting))
      start()
    }
    const refuse = () => {
      if (response.destroyed || spare()) return
      this.#say()
      const kind = path.startsWith('/api/') ? 'json' : 'html'
      response.writeHead(503, this.#answers[kind]).end(kind === 'json' ? json : page)
    }
    const isPage = !path.startsWith('/api/') && sessionTokenIn(request.headers.cookie, this.#config) !== undefined
    lanes[lane].enter({ request, response }, begin, refuse, isPage ? 'page' : 'call')
  }

  /** The slot of a request that was taken on. */
  slotOf(request: IncomingMessage | undefined): Slot | undefined {
    return request && this.#slots.get(request)
  }

  #nameFor(id: string): LimiterName {
    if (id === 'GET /readyz' || id === 'GET /metrics') return 'reserved'
    return this.#laneOf.get(id) ?? (isFile.test(id) ? 'files' : 'general')
  }

  #isAdministrator({ headers }: IncomingMessage): boolean {
    const token = sessionTokenIn(headers.cookie, this.#config)
    const seen = token === undefined ? undefined : this.#administrators.get(token)
    return seen !== undefined && performance.now() - seen < limits.admission.administratorMs
  }

  /** An overload leaves garbage, which V8 keeps as long as hardly anything new is made. */
  #calm(): void {
    this.#tidying ??= setTimeout(() => {
      this.#tidying = undefined
      if (Object.values(this.lanes).every((lane) => lane.isFree)) globalThis.gc?.({ type: 'major', execution: 'async' })
    }, limits.admission.tidyMs).unref()
  }

  #say(): void {
    if (performance.now() - this.#saidAt < sayEveryMs) return
    this.#saidAt = performance.now()
    this.#log.warn(
      Object.fromEntries(
        Object.entries(this.lanes).map(([name, { running, waiting, shed }]) => [name, { running, waiting, shed }]),
      ),
      'too much at once',
    )
  }
}

// What looks like a file may be missing, and then a page is made that says so: they pass nowhere unseen.
const isFile = /^GET \/(?!api\/).*\.[a-z0-9]{2,12}$/

function headers(config: Config, type: string): Record<string, string> {
  const all = new Headers({
    'content-type': type,
    'cache-control': 'no-store',
    'retry-after': String(limits.admission.retryAfterSeconds),
  })
  secure(all, config)
  return Object.fromEntries(all)
}
