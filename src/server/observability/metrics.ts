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
import type { LimiterName } from '../overload/admission.ts'
import type { ConcurrencyLimiter } from '../overload/concurrency-limiter.ts'
import { tellOfMyself, textOfAll } from './cluster-metrics.ts'

type Sources = {
  pool: pg.Pool
  presence: Presence
  ready: ResponseCache
  lanes: Record<LimiterName, ConcurrencyLimiter>
  replica?: Replica | undefined
}

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What this process tells a Prometheus of itself; the outbox alone is everybody's. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests = this.#counter('sauce_http_requests_total', 'Requests that were worked on, by route and status', [
    'method',
    'route',
    'status',
  ])
  readonly #durations = new Histogram({
    name: 'sauce_http_request_duration_seconds',
    help: 'How long they took until the answer began, by route',
    labelNames: ['method', 'route'] as const,
    buckets: seconds,
    registers: [this.#registry],
  })
  readonly #jobs = this.#counter('sauce_job_runs_total', 'Runs of a job in this process, by how they ended', [
    'job',
    'result',
  ])
  readonly #lastSuccess = new Gauge({
    name: 'sauce_job_last_success_timestamp_seconds',
    help: 'When a job last ended well in this process',
    labelNames: ['job'] as const,
    registers: [this.#registry],
  })

  readonly #isOneOfMany: boolean

  /** `number`: which of several processes behind one port this is. */
  constructor(number?: number) {
    collectDefaultMetrics({ register: this.#registry })
    this.#isOneOfMany = number !== undefined
    if (number === undefined) return
    this.#registry.setDefaultLabels({ process: String(number) })
    tellOfMyself(() => this.#registry.getMetricsAsJSON())
  }

  /** A request that was worked on; what is sent from memory counts for itself (`ReadyBytes`). */
  request(method: string, route: string, status: number, tookMs: number): void {
    this.#requests.inc({ method, route, status: String(status) })
    this.#durations.observe({ method, route }, tookMs / 1_000)
  }

  /** A run of a job that has ended. */
  job(job: string, isDone: boolean): void {
    this.#jobs.inc({ job, result: isDone ? 'done' : 'failed' })
    if (isDone) this.#lastSuccess.setToCurrentTime({ job })
  }

  /** Looks at these whenever somebody asks. Call once. */
  watch({ pool, presence, ready, lanes, replica }: Sources): void {
    if (replica)
      this.#counts('sauce_list_reads_total', 'Reads of lists, by the server that answered', 'from', replica.reads)
    this.#gauge('sauce_database_connections', 'Connections of the pool', ['state'], (gauge) => {
      gauge.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      gauge.set({ state: 'idle' }, pool.idleCount)
    })
    this.#gauge('sauce_database_waiting', 'Queries that wait for a connection', [], (gauge) =>
      gauge.set(pool.waitingCount),
    )
    this.#gauge('sauce_sockets', 'Open pages with a line to this process', [], (gauge) =>
      gauge.set(presence.connections.size),
    )
    this.#gauge('sauce_ready_answers', 'Public pages and lists that are kept as ready bytes', [], (gauge) =>
      gauge.set(ready.kept),
    )
    this.#counts('sauce_ready_hits_total', 'Requests answered from ready bytes, by status', 'status', ready.hits)
    const shed = this.#counter(
      'sauce_shed_total',
      'Requests refused because too many were worked on, by what they do',
      ['lane'],
      () => {
        shed.reset()
        for (const [lane, { rejected: count }] of Object.entries(lanes)) shed.inc({ lane }, count)
      },
    )
    this.#gauge(
      'sauce_requests_at_once',
      'Requests that are worked on, and that wait for their turn',
      ['lane', 'state'],
      (gauge) => {
        for (const [lane, { running, waiting }] of Object.entries(lanes)) {
          gauge.set({ lane, state: 'running' }, running)
          gauge.set({ lane, state: 'waiting' }, waiting)
        }
      },
    )
    this.#gauge(
      'sauce_installation_held',
      '1 while this installation is not live: it calls no panel and sends no mail',
      [],
      async (gauge) => gauge.set((await isOutboundHeld()) ? 1 : 0),
    )
    this.#gauge(
      'sauce_last_backup_timestamp_seconds',
      'When the last backup was written; 0 before the first',
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

  /** All of it in Prometheus' text format; of every process behind the port. */
  text(): Promise<string> {
    return this.#isOneOfMany ? textOfAll() : this.#registry.metrics()
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  #watchOutbox(pool: pg.Pool): void {
    const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [this.#registry] })
    const oldest = gauge('sauce_outbox_oldest_seconds', 'How long the oldest of them has been waiting')
    const waiting = gauge('sauce_outbox_waiting', 'Mails that wait to be sent, of all processes')
    this.#gauge('sauce_database_up', 'Whether the database answered just now', [], async (up) => {
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

  #counter<const T extends string>(
    name: string,
    help: string,
    labelNames: readonly T[],
    collect: () => void = () => {},
  ): Counter<T> {
    return new Counter({ name, help, labelNames, registers: [this.#registry], collect })
  }

  /** What is counted elsewhere, looked at whenever somebody asks. */
  #counts(name: string, help: string, label: string, numbers: Record<string, number>): void {
    const counter = this.#counter(name, help, [label], () => {
      counter.reset()
      for (const [value, count] of Object.entries(numbers)) counter.inc({ [label]: value }, count)
    })
  }

  #gauge<const T extends string>(
    name: string,
    help: string,
    labelNames: readonly T[],
    collect: (gauge: Gauge<T>) => void | Promise<void>,
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
const forwarding = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

/** Counts and times every request that came over a connection: nothing may be mounted before it. */
export function countRequests(hono: Hono, metrics: Metrics): void {
  hono.use(async (c, next) => {
    const began = performance.now()
    await next()
    // Pages ask the app itself while they are made; those calls are part of the page.
    if ((c.env as Connection)?.incoming)
      metrics.request(c.req.method, routeOf(c), c.res.status, performance.now() - began)
  })
}

/** Answers `/metrics`: with the right token, or without a setting to this machine alone, asked by its own name: a page of a stranger must not read it. */
export function mountMetrics(hono: Hono, metrics: Metrics, config: Pick<Config, 'metricsToken' | 'publicUrl'>): void {
  const { metricsToken } = config
  hono.get('/metrics', async (c) => {
    if (metricsToken) requireToken(c.req.header('authorization'), metricsToken)
    else if (!isOfThisMachine(c) || !isOwnHost(c.req.header('host') ?? '', config))
      throw new Refusal(404, 'not_found', 'There is nothing at this address')
    return c.body(await metrics.text(), 200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' })
  })
}

/** A name out of a short list: paths that people make up must not become names of series. */
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
    signInFirst('The metrics need the token of METRICS_TOKEN', 'metrics_token')
}

/** A proxy on this machine connects from here too, for anybody: what it forwards is not from here. */
function isOfThisMachine(c: HonoContext): boolean {
  const address = (c.env as Connection)?.incoming?.socket?.remoteAddress
  return (
    address !== undefined && loopback.test(address) && forwarding.every((header) => c.req.header(header) === undefined)
  )
}
