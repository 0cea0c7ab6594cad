import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { Refusal } from '../errors.ts'
import type { Db } from './connect.ts'

/** How long a read waits for the replica to replay what was just committed; a nearby replica needs a few milliseconds. */
const replayTimeoutMs = 60
const checkEveryMs = 4
/** How long a replica that lags or fails is not used. */
const pauseMs = { lagging: 1_000, failing: 5_000 }

/**
 * A read replica. A read never misses a transaction that was committed before it started: the primary reports its log position, and the replica
 * is used only once it has replayed the log up to there. Otherwise the primary is used.
 */
export class Replica {
  readonly #primary: Db
  readonly #replica: Db
  readonly #log: Pick<Logger, 'warn'>
  #pausedUntil = 0
  /** How many reads each server answered. */
  readonly reads = { replica: 0, primary: 0 }

  constructor(primary: Db, replica: Db, log: Pick<Logger, 'warn'>) {
    this.#primary = primary
    this.#replica = replica
    this.#log = log
  }

  /** Runs `work`, which only reads, on the replica, or on the primary if the replica lags or `work` fails there. */
  async read<T>(work: (db: Db) => Promise<T> | T): Promise<T> {
    if (performance.now() >= this.#pausedUntil) {
      const { rows } = await this.#primary.execute<{ lsn: string }>(sql`select pg_current_wal_flush_lsn()::text as lsn`)
      try {
        if (await this.#hasReplayed(rows[0]!.lsn)) {
          const result = await work(this.#replica)
          this.reads.replica++
          return result
        }
        this.#pause(pauseMs.lagging, 'replication lag')
      } catch (error) {
        if (error instanceof Refusal) throw error
        this.#pause(pauseMs.failing, (error as Error).message)
      }
    }
    this.reads.primary++
    return work(this.#primary)
  }

  async #hasReplayed(lsn: string): Promise<boolean> {
    for (const deadline = performance.now() + replayTimeoutMs; ; await sleep(checkEveryMs)) {
      const { rows } = await this.#replica.execute<{ isInRecovery: boolean; hasReplayed: boolean }>(
        sql`select pg_is_in_recovery() as "isInRecovery", coalesce(pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn, false) as "hasReplayed"`,
      )
      const { isInRecovery, hasReplayed } = rows[0]!
      // A promoted replica no longer receives what the primary commits.
      if (!isInRecovery) throw new Error('the replica is not in recovery')
      if (hasReplayed || performance.now() > deadline) return hasReplayed
    }
  }

  #pause(ms: number, message: string): void {
    this.#pausedUntil = performance.now() + ms
    this.#log.warn({ message, ms }, 'replica paused: reading from the primary')
  }
}
