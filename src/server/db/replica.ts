import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { Refusal } from '../errors.ts'
import type { Db } from './connect.ts'

/** So long a read waits for what was just written; a replica nearby needs some milliseconds. */
const patienceMs = 60
const lookEveryMs = 4
/** So long a replica that lags or fails is left alone. */
const restMs = { lagging: 1_000, failing: 5_000 }

/**
 * A server that follows the primary, for reading. Nobody reads anything older than what was committed before they asked, by anyone:
 * the primary says where its log is, and the replica is asked only once it has replayed that. Otherwise the primary is.
 */
export class Replica {
  readonly #primary: Db
  readonly #replica: Db
  readonly #log: Pick<Logger, 'warn'>
  #restsUntil = 0
  /** How many reads each of the two answered. */
  readonly reads = { replica: 0, primary: 0 }

  constructor(primary: Db, replica: Db, log: Pick<Logger, 'warn'>) {
    this.#primary = primary
    this.#replica = replica
    this.#log = log
  }

  /** Runs `work`, which only reads, on the replica; on the primary where that lags or `work` fails there. */
  async read<T>(work: (db: Db) => Promise<T> | T): Promise<T> {
    if (performance.now() >= this.#restsUntil) {
      const { rows } = await this.#primary.execute<{ lsn: string }>(sql`select pg_current_wal_flush_lsn()::text as lsn`)
      try {
        if (await this.#hasReplayed(rows[0]!.lsn)) {
          const result = await work(this.#replica)
          this.reads.replica++
          return result
        }
        this.#rest(restMs.lagging, 'it lags')
      } catch (error) {
        if (error instanceof Refusal) throw error
        this.#rest(restMs.failing, (error as Error).message)
      }
    }
    this.reads.primary++
    return work(this.#primary)
  }

  async #hasReplayed(lsn: string): Promise<boolean> {
    for (const deadline = performance.now() + patienceMs; ; await pause(lookEveryMs)) {
      const { rows } = await this.#replica.execute<{ follows: boolean; has: boolean }>(
        sql`select pg_is_in_recovery() as follows, coalesce(pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn, false) as has`,
      )
      const { follows, has } = rows[0]!
      // A promoted one goes its own way: what it has is no longer what the primary has.
      if (!follows) throw new Error('it follows no primary')
      if (has || performance.now() > deadline) return has
    }
  }

  #rest(ms: number, message: string): void {
    this.#restsUntil = performance.now() + ms
    this.#log.warn({ message, ms }, 'the replica is not read from for a while')
  }
}
