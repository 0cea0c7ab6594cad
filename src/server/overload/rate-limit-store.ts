import type { Pool } from 'pg'

type Asked = { name?: string; text: string; values: unknown[] }
type Row = { key: string; points: number; expire: string | null }
type Rows = { rows: Row[]; rowCount: number }
type Change = [key: string, points: number, expire: number | null, now: number]
type Waiting<Values> = { values: Values; resolve: (rows: Rows) => void; reject: (error: unknown) => void }

const readName = 'rate_limits:rlflx-get'
const changeName = 'rate_limits:rlflx-upsert'
const clearName = 'rate_limits:rlflx-clear-expired'
const keptMs = 3_600_000
/** The database's clock in milliseconds: all processes go by it. The library says and hears instants by the clock of its own process. */
const clock = '(extract(epoch FROM now()) * 1000)::bigint'

/**
 * What `rate-limiter-flexible` asks, of a pool: what several limiters ask in the same turn of the event loop goes in one statement.
 * Everybody is told what they would have been told one after the other, by a process whose clock is right.
 */
export class RateLimitStore {
  readonly #pool: Pool
  readonly #reads: Waiting<[key: string, now: number]>[] = []
  readonly #changes: Waiting<Change>[] = []

  constructor(pool: Pool) {
    this.#pool = pool
  }

  query(asked: Asked): Promise<Rows> {
    if (asked.name === readName)
      return this.#together(this.#reads, asked.values as [string, number], (all) => this.#read(all))
    if (asked.name === changeName)
      return this.#together(this.#changes, asked.values as Change, (all) => this.#change(all))
    if (asked.name === clearName)
      return this.#pool.query({
        name: 'rate_limits_clear',
        text: `DELETE FROM rate_limits WHERE expire < ${clock} - $1`,
        values: [keptMs],
      }) as Promise<Rows>
    return this.#pool.query<Row>(asked) as Promise<Rows>
  }

  #together<Values>(
    waiting: Waiting<Values>[],
    values: Values,
    ask: (all: Waiting<Values>[]) => Promise<void>,
  ): Promise<Rows> {
    return new Promise((resolve, reject) => {
      waiting.push({ values, resolve, reject })
      if (waiting.length > 1) return
      setImmediate(() => {
        const all = waiting.splice(0)
        ask(all).catch((error) => {
          for (const each of all) each.reject(error)
        })
      })
    })
  }

  async #read(all: Waiting<[key: string, now: number]>[]): Promise<void> {
    const keys = [...new Set(all.map(({ values: [key] }) => key))]
    const text = `SELECT key, points, expire - ${clock} + $2::bigint AS expire FROM rate_limits WHERE key = ANY($1) AND (expire > ${clock} OR expire IS NULL)`
    const { rows } = await this.#pool.query<Row>({ name: 'rate_limits_read', text, values: [keys, all[0]!.values[1]] })
    const byKey = new Map(rows.map((row) => [row.key, row]))
    for (const { values, resolve } of all) resolve(only(byKey.get(values[0])))
  }

  async #change(all: Waiting<Change>[]): Promise<void> {
    const byKey = new Map<string, { points: number; expire: number | null }>()
    for (const { values } of all)
      byKey.set(values[0], { points: (byKey.get(values[0])?.points ?? 0) + values[1], expire: values[2] })
    // In one order everywhere: two statements that take the same rows must not wait for each other.
    const keys = [...byKey.keys()].sort()
    const changes = keys.map((key) => byKey.get(key)!)
    const { rows } = await this.#pool.query<Row>({
      name: 'rate_limits_change',
      text: `INSERT INTO rate_limits
        SELECT key, points, expire - $4::bigint + ${clock} FROM unnest($1::varchar[], $2::int[], $3::bigint[]) AS given (key, points, expire)
        ON CONFLICT (key) DO UPDATE SET
          points = CASE WHEN rate_limits.expire <= ${clock} THEN 0 ELSE rate_limits.points END + excluded.points,
          expire = CASE WHEN rate_limits.expire <= ${clock} THEN excluded.expire ELSE rate_limits.expire END
        RETURNING key, points, expire - ${clock} + $4::bigint AS expire`,
      values: [keys, changes.map(({ points }) => points), changes.map(({ expire }) => expire), all[0]!.values[3]],
    })
    const found = new Map(rows.map((row) => [row.key, row]))
    // Whoever asked last is told what stands there now, those before them what stood there then.
    for (const { values, resolve } of all.toReversed()) {
      const row = found.get(values[0])!
      resolve(only(row))
      found.set(values[0], { ...row, points: row.points - values[1] })
    }
  }
}

const only = (row: Row | undefined): Rows => (row ? { rows: [row], rowCount: 1 } : { rows: [], rowCount: 0 })
