import type { Pool } from 'pg'

type Query = { name?: string; text: string; values: unknown[] }
type Row = { key: string; points: number; expire: string | null }
type Rows = { rows: Row[]; rowCount: number }
type Change = [key: string, points: number, expire: number | null, now: number]
type PendingQuery<Values> = { values: Values; resolve: (rows: Rows) => void; reject: (error: unknown) => void }

const readName = 'rate_limits:rlflx-get'
const changeName = 'rate_limits:rlflx-upsert'
const clearName = 'rate_limits:rlflx-clear-expired'
const keepExpiredMs = 3_600_000
/** The database's clock in milliseconds, shared by all processes. The library passes and expects times of its own process's clock. */
const clock = '(extract(epoch FROM now()) * 1000)::bigint'

/**
 * The pool that `rate-limiter-flexible` queries. Queries of several limiters in the same event-loop turn become one statement. Each caller
 * gets the result it would have got from separate statements, by the database's clock.
 */
export class RateLimitStore {
  readonly #pool: Pool
  readonly #reads: PendingQuery<[key: string, now: number]>[] = []
  readonly #changes: PendingQuery<Change>[] = []

  constructor(pool: Pool) {
    this.#pool = pool
  }

  query(query: Query): Promise<Rows> {
    if (query.name === readName)
      return this.#batched(this.#reads, query.values as [string, number], (all) => this.#read(all))
    if (query.name === changeName)
      return this.#batched(this.#changes, query.values as Change, (all) => this.#change(all))
    if (query.name === clearName)
      return this.#pool.query({
        name: 'rate_limits_clear',
        text: `DELETE FROM rate_limits WHERE expire < ${clock} - $1`,
        values: [keepExpiredMs],
      }) as Promise<Rows>
    return this.#pool.query<Row>(query) as Promise<Rows>
  }

  #batched<Values>(
    waiting: PendingQuery<Values>[],
    values: Values,
    run: (all: PendingQuery<Values>[]) => Promise<void>,
  ): Promise<Rows> {
    return new Promise((resolve, reject) => {
      waiting.push({ values, resolve, reject })
      if (waiting.length > 1) return
      setImmediate(() => {
        const all = waiting.splice(0)
        run(all).catch((error) => {
          for (const each of all) each.reject(error)
        })
      })
    })
  }

  async #read(all: PendingQuery<[key: string, now: number]>[]): Promise<void> {
    const keys = [...new Set(all.map(({ values: [key] }) => key))]
    const text = `SELECT key, points, expire - ${clock} + $2::bigint AS expire FROM rate_limits WHERE key = ANY($1) AND (expire > ${clock} OR expire IS NULL)`
    const { rows } = await this.#pool.query<Row>({ name: 'rate_limits_read', text, values: [keys, all[0]!.values[1]] })
    const byKey = new Map(rows.map((row) => [row.key, row]))
    for (const { values, resolve } of all) resolve(resultOf(byKey.get(values[0])))
  }

  async #change(all: PendingQuery<Change>[]): Promise<void> {
    const byKey = new Map<string, { points: number; expire: number | null }>()
    for (const { values } of all)
      byKey.set(values[0], { points: (byKey.get(values[0])?.points ?? 0) + values[1], expire: values[2] })
    // Sorted, so that two statements that lock the same rows cannot deadlock.
    const keys = [...byKey.keys()].sort()
    const changes = keys.map((key) => byKey.get(key)!)
    const { rows } = await this.#pool.query<Row>({
      name: 'rate_limits_change',
      text: `INSERT INTO rate_limits
        SELECT key, points, expire - $4::bigint + ${clock} FROM unnest($1::varchar[], $2::int[], $3::bigint[]) AS increment (key, points, expire)
        ON CONFLICT (key) DO UPDATE SET
          points = CASE WHEN rate_limits.expire <= ${clock} THEN 0 ELSE rate_limits.points END + excluded.points,
          expire = CASE WHEN rate_limits.expire <= ${clock} THEN excluded.expire ELSE rate_limits.expire END
        RETURNING key, points, expire - ${clock} + $4::bigint AS expire`,
      values: [keys, changes.map(({ points }) => points), changes.map(({ expire }) => expire), all[0]!.values[3]],
    })
    const found = new Map(rows.map((row) => [row.key, row]))
    // Callers batched into one UPDATE each get the count as of their own increment.
    for (const { values, resolve } of all.toReversed()) {
      const row = found.get(values[0])!
      resolve(resultOf(row))
      found.set(values[0], { ...row, points: row.points - values[1] })
    }
  }
}

const resultOf = (row: Row | undefined): Rows => (row ? { rows: [row], rowCount: 1 } : { rows: [], rowCount: 0 })
