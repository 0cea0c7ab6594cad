import { createHash, timingSafeEqual } from 'node:crypto'
import type { Hono, Context as HonoContext } from 'hono'
import type pg from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '../config.ts'
import type { Replica } from '../db/replica.ts'
import { Refusal, signInFirst } from '../errors.ts'
import { isOwnHost } from '../http/own-host.ts'
import type { ResponseCache } from '../http/response-cache.ts'
import type { Presence } from '../live/presence.ts'
import { isOutboundHeld } from '../outbound/outbound-gate.ts'
import type { ConcurrencyLimiter, LimiterName } from '../overload/concurrency-limiter.ts'
import { answerMetricsRequests, clusterMetricsText } from './cluster-metrics.ts'

type Sources = {
  pool: pg.Pool
  presence: Presence
  responseCache: ResponseCache
  limiters: Record<LimiterName, ConcurrencyLimiter>
  replica?: Replica | undefined
}

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The Prometheus metrics of this process. Only the outbox metrics cover all processes. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests = this.counter('sauce_http_requests_total', 'Requests handled, by route and status', [
    'method',
    'route',
    'status',
  ])
  readonly #durations = new Histogram({
    name: 'sauce_http_request_duration_seconds',
    help: 'Time until the response began, by route',
    labelNames: ['method', 'route'] as const,
    buckets: seconds,
    registers: [this.#registry],
  })
  readonly #jobs = this.counter('sauce_job_runs_total', 'Runs of a job in this process, by result', ['job', 'result'])
  readonly #lastSuccess = new Gauge({
    name: 'sauce_job_last_success_timestamp_seconds',
    help: 'When a job last succeeded in this process',
    labelNames: ['job'] as const,
    registers: [this.#registry],
  })

  readonly #isWorker: boolean

  /** `number` is the worker number if several processes share the port. */
  constructor(number?: number) {
    // The default of 10 ms wakes the process a hundred times a second.
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: 50 })
    this.#isWorker = number !== undefined
    if (number === undefined) return
    this.#registry.setDefaultLabels({ process: String(number) })
    answerMetricsRequests(() => this.#registry.getMetricsAsJSON())
  }

  /** Counts a handled request. Response cache hits are counted separately, in `ResponseCache.hits`. */
  request(method: string, route: string, status: number, tookMs: number): void {
    this.#requests.inc({ method, route, status: String(status) })
    this.#durations.observe({ method, route }, tookMs / 1_000)
  }

  /** Counts a finished run of a job. */
  job(job: string, isDone: boolean): void {
    this.#jobs.inc({ job, result: isDone ? 'done' : 'failed' })
    if (isDone) this.#lastSuccess.setToCurrentTime({ job })
  }

  /** Registers the sources that are read at every scrape. Call once. */
  watch({ pool, presence, responseCache, limiters, replica }: Sources): void {
    if (replica) this.#counts('sauce_list_reads_total', 'Reads of lists, by database server', 'from', replica.reads)
    this.gauge('sauce_database_connections', 'Database connections in the pool', ['state'], (gauge) => {
      gauge.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      gauge.set({ state: 'idle' }, pool.idleCount)
    })
    this.gauge('sauce_database_waiting', 'Queries waiting for a connection', [], (gauge) =>
      gauge.set(pool.waitingCount),
    )
    this.gauge('sauce_sockets', 'Open WebSockets of this process', [], (gauge) => gauge.set(presence.connections.size))
    this.gauge('sauce_ready_answers', 'Entries in the response cache', [], (gauge) => gauge.set(responseCache.size))
    this.#counts(
      'sauce_ready_hits_total',
      'Requests answered from the response cache, by status',
      'status',
      responseCache.hits,
    )
    const rejectedRequests = this.counter(
      'sauce_shed_total',
      'Requests rejected because of overload, by limiter',
      ['lane'],
      () => {
        rejectedRequests.reset()
        for (const [lane, { rejected: count }] of Object.entries(limiters)) rejectedRequests.inc({ lane }, count)
      },
    )
    this.gauge('sauce_requests_at_once', 'Requests running and waiting, by limiter', ['lane', 'state'], (gauge) => {
      for (const [lane, { running, waiting }] of Object.entries(limiters)) {
        gauge.set({ lane, state: 'running' }, running)
        gauge.set({ lane, state: 'waiting' }, waiting)
      }
    })
    this.gauge(
      'sauce_installation_held',
      '1 while this installation is not live: it calls no panel and sends no email',
      [],
      async (gauge) => gauge.set((await isOutboundHeld()) ? 1 : 0),
    )
    this.gauge(
      'sauce_last_backup_timestamp_seconds',
      'When the last backup was written; 0 if never',
      [],
      async (gauge) => {
        const last = await pool
          .query('SELECT coalesce(extract(epoch FROM backed_up_at), 0)::float8 AS seconds FROM installation')
          .catch(() => undefined)
        if (last) gauge.set(last.rows[0].seconds)
      },
    )
    this.#watchOutbox(pool)
  }

  /** Returns all metrics in the Prometheus text format, for all processes that share the port. */
  text(): Promise<string> {
    return this.#isWorker ? clusterMetricsText() : this.#registry.metrics()
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  #watchOutbox(pool: pg.Pool): void {
    const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [this.#registry] })
    const oldest = gauge('sauce_outbox_oldest_seconds', 'Age of the oldest queued email')
    const waiting = gauge('sauce_outbox_waiting', 'Queued emails of all processes')
    this.gauge('sauce_database_up', 'Whether the database answers', [], async (up) => {
      try {
        const { rows } = await pool.query(
          `SELECT count(*)::int AS waiting, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS oldest FROM mails WHERE status = 'queued'`,
        )
        waiting.set(rows[0].waiting)
        oldest.set(rows[0].oldest)
        up.set(1)
      } catch {
        up.set(0)
      }
    })
  }

  /** Adds a counter. `collect` runs at every scrape. */
  counter<const T extends string>(
    name: string,
    help: string,
    labelNames: readonly T[],
    collect: () => void | Promise<void> = () => {},
  ): Counter<T> {
    return new Counter({ name, help, labelNames, registers: [this.#registry], collect })
  }

  /** Adds a counter whose values are stored in `numbers` and read at every scrape. */
  #counts(name: string, help: string, label: string, numbers: Record<string, number>): void {
    const counter = this.counter(name, help, [label], () => {
      counter.reset()
      for (const [value, count] of Object.entries(numbers)) counter.inc({ [label]: value }, count)
    })
  }

  /** Adds a gauge. `collect` sets it at every scrape. */
  gauge<const T extends string>(
    name: string,
    help: string,
    labelNames: readonly T[] = [],
    collect: (gauge: Gauge<T>) => void | Promise<void> = () => {},
  ): Gauge<T> {
    const gauge: Gauge<T> = new Gauge({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      collect: () => collect(gauge),
    })
    return gauge
  }
}

type Connection = { incoming?: { socket?: { remoteAddress?: string } } } | undefined
const loopback = /^(127\.|::1$|::ffff:127\.)/
const forwardingHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

/** Counts and times every request that came over a connection. Must be mounted first. */
export function countRequests(hono: Hono, metrics: Metrics): void {
  hono.use(async (c, next) => {
    const began = performance.now()
    await next()
    // Calls made while rendering a page are part of the page request.
    if ((c.env as Connection)?.incoming)
      metrics.request(c.req.method, routeOf(c), c.res.status, performance.now() - began)
  })
}

/**
 * Serves `/metrics` to requests with the right token. If no token is set, serves it only to this machine under one of its own host names (against DNS
 * rebinding).
 */
export function mountMetrics(hono: Hono, metrics: Metrics, config: Pick<Config, 'metricsToken' | 'publicUrl'>): void {
  const { metricsToken } = config
  hono.get('/metrics', async (c) => {
    if (metricsToken) requireToken(c.req.header('authorization'), metricsToken)
    else if (!isFromThisMachine(c) || !isOwnHost(c.req.header('host') ?? '', config))
      throw new Refusal(404, 'not_found', 'Not found')
    return c.body(await metrics.text(), 200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' })
  })
}

/** Returns the route label of a request, from a fixed set: arbitrary paths must not create new series. */
function routeOf(c: HonoContext): string {
  const endpoint = c.get('route' as never) as string | undefined
  if (endpoint) return endpoint
  const { path } = c.req
  if (['/healthz', '/readyz', '/metrics'].includes(path)) return path
  if (path.startsWith('/api/')) return '/api/*'
  return path.startsWith('/assets/') ? '/assets/*' : 'pages'
}

function requireToken(authorization: string | undefined, token: string): void {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (!timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`)))
    signInFirst('Metrics require the token in METRICS_TOKEN', 'metrics_token')
}

/** Whether a request comes from this machine itself and not through a proxy running on it. */
function isFromThisMachine(c: HonoContext): boolean {
  const address = (c.env as Connection)?.incoming?.socket?.remoteAddress
  return (
    address !== undefined &&
    loopback.test(address) &&
    forwardingHeaders.every((header) => c.req.header(header) === undefined)
  )
}
