import type { Pool } from 'pg'

/** How many calls of a window are used, and the milliseconds until the window ends. `isLocal`: only this process counted them. */
export type Usage = { calls: number; msLeft: number; isLocal?: true }
type Row = Usage & { key: string }
type Change = { key: string; calls: number; windowMs: number }
type Waiting<Request, Result> = {
  request: Request
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

const clearAfterMs = 3_600_000
/** The time of the database in milliseconds since 1970. Every process uses it instead of its own clock. */
const now = '(extract(epoch FROM now()) * 1000)::bigint'

/**
 * The fixed windows of all rate limits, in the table `rate_limits` that all processes share. Calls in the same turn of the event loop go into one
 * statement. While the database cannot be reached, each process counts in its own memory.
 */
export class RateLimitStore {
  readonly #pool: Pool
  readonly #reads: Waiting<string, Usage | undefined>[] = []
  readonly #changes: Waiting<Change, Usage>[] = []
  readonly #local = new Map<string, { calls: number; endsAt: number }>()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Returns the usage of a key; undefined without an open window. */
  async read(key: string): Promise<Usage | undefined> {
    try {
      return await inBatch(this.#reads, key, (all) => this.#readAll(all))
    } catch {
      return this.#localUsage(key)
    }
  }

  /** Adds calls, or subtracts them if negative, and returns the usage right afterwards. Without an open window, one of `windowMs` begins. */
  async add(key: string, calls: number, windowMs: number): Promise<Usage> {
    try {
      return await inBatch(this.#changes, { key, calls, windowMs }, (all) => this.#changeAll(all))
    } catch {
      const open = this.#localUsage(key) ?? { calls: 0, msLeft: windowMs }
      const usage: Usage = { calls: open.calls + calls, msLeft: open.msLeft, isLocal: true }
      this.#local.set(key, { calls: usage.calls, endsAt: performance.now() + usage.msLeft })
      return usage
    }
  }

  /** Ends the window of a key. */
  async forget(key: string): Promise<void> {
    this.#local.delete(key)
    await this.#pool.query('DELETE FROM rate_limits WHERE key = $1', [key]).catch(() => {})
  }

  /** Deletes windows that ended more than an hour ago. A failure is ignored, because the next run deletes them. */
  async clearExpired(): Promise<void> {
    for (const key of this.#local.keys()) this.#localUsage(key)
    const text = `DELETE FROM rate_limits WHERE expire < ${now} - $1`
    await this.#pool.query({ name: 'rate_limits_clear', text, values: [clearAfterMs] }).catch(() => {})
  }

  #localUsage(key: string): Usage | undefined {
    const window = this.#local.get(key)
    if (window && window.endsAt > performance.now())
      return { calls: window.calls, msLeft: window.endsAt - performance.now(), isLocal: true }
    this.#local.delete(key)
    return undefined
  }

  async #readAll(all: Waiting<string, Usage | undefined>[]): Promise<void> {
    const { rows } = await this.#pool.query<Row>({
      name: 'rate_limits_read',
      text: `SELECT key, points AS calls, (expire - ${now})::float8 AS "msLeft" FROM rate_limits WHERE key = ANY($1) AND expire > ${now}`,
      values: [[...new Set(all.map(({ request }) => request))]],
    })
    const byKey = new Map(rows.map(({ key, ...usage }) => [key, usage]))
    for (const { request, resolve } of all) resolve(byKey.get(request))
  }

  async #changeAll(all: Waiting<Change, Usage>[]): Promise<void> {
    const sums = new Map<string, Change>()
    for (const { request } of all)
      sums.set(request.key, { ...request, calls: (sums.get(request.key)?.calls ?? 0) + request.calls })
    // Sorted: statements that lock several rows in the same order cannot deadlock.
    const changes = [...sums.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
    const { rows } = await this.#pool.query<Row>({
      name: 'rate_limits_change',
      text: `INSERT INTO rate_limits
        SELECT key, calls, ${now} + window_ms FROM unnest($1::varchar[], $2::int[], $3::bigint[]) AS change (key, calls, window_ms)
        ON CONFLICT (key) DO UPDATE SET
          points = CASE WHEN rate_limits.expire <= ${now} THEN 0 ELSE rate_limits.points END + excluded.points,
          expire = CASE WHEN rate_limits.expire <= ${now} THEN excluded.expire ELSE rate_limits.expire END
        RETURNING key, points AS calls, (expire - ${now})::float8 AS "msLeft"`,
      values: [
        changes.map(({ key }) => key),
        changes.map(({ calls }) => calls),
        changes.map(({ windowMs }) => windowMs),
      ],
    })
    const after = new Map(rows.map(({ key, ...usage }) => [key, usage]))
    // Each caller gets the usage right after its own change. The last caller gets the usage in the table; for the earlier callers, the later changes are
    // subtracted.
    for (const { request, resolve } of all.toReversed()) {
      const usage = after.get(request.key)!
      resolve(usage)
      after.set(request.key, { ...usage, calls: usage.calls - request.calls })
    }
  }
}

/**
 * Adds a request to the batch of this event-loop turn. `run` is called with the whole batch at the end of the turn. If it fails, all requests of the batch are
 * rejected.
 */
function inBatch<Request, Result>(
  waiting: Waiting<Request, Result>[],
  request: Request,
  run: (all: Waiting<Request, Result>[]) => Promise<void>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    waiting.push({ request, resolve, reject })
    if (waiting.length > 1) return
    setImmediate(() => {
      const all = waiting.splice(0)
      run(all).catch((error) => {
        for (const each of all) each.reject(error)
      })
    })
  })
}
