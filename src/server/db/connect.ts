import { drizzle } from 'drizzle-orm/node-postgres'
import type { PgTransactionConfig } from 'drizzle-orm/pg-core'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Connection } from '../postgres/connection.ts'
import { withDeferredWrites } from './deferred-writes.ts'
import { watchLiveness } from './liveness.ts'
import { Unnamed } from './pooler.ts'
import { Named } from './prepared-statements.ts'
import { violationOf } from './retry.ts'
import type { Db as Queryable, Tx as Transaction } from './types.ts'

export type Db = Queryable
export type Tx = Transaction
/** Where a PostgreSQL is: a `postgres://` address or a unix socket. */
export type Address = string | Connection

/** `expectEnd`: the process ends, possibly together with the server, so connections that are lost from now on are not reported. */
export type Database = { pool: pg.Pool; db: Db; expectEnd: () => void; close: () => Promise<void> }

/** Within this a request learns that no connection can be had, be it that the server is away or that all are taken. */
const defaultPatienceMs = 1_500
const statementTimeoutMillis = 30_000

/**
 * The settings of every connection: clocks in UTC, and no statement or forgotten transaction that holds locks forever. `pooled`: a pooler
 * refuses them, and the role has them (`pooler.ts`).
 */
export const clientConfig = (address: Address, patienceMs = defaultPatienceMs, pooled = false): pg.ClientConfig => ({
  ...(typeof address === 'string' ? { connectionString: address } : address),
  application_name: 'sauce',
  connectionTimeoutMillis: patienceMs,
  ...(!pooled && {
    statement_timeout: statementTimeoutMillis,
    idle_in_transaction_session_timeout: statementTimeoutMillis,
    options: '-c TimeZone=UTC',
  }),
  keepAlive: true,
})

type Options = {
  max?: number
  patienceMs?: number
  log: Pick<Logger, 'warn'> /** Through a pooler that lends connections by the transaction. */
  pooled?: boolean
}

/** A pool of at most `max` connections. An unreachable server fails each query within 2 seconds (`isUnavailable`) and never ends the process. */
export function connect(address: Address, { max = 10, patienceMs, log, pooled = false }: Options): Database {
  const pool = new pg.Pool({
    ...clientConfig(address, patienceMs, pooled),
    max,
    idleTimeoutMillis: 60_000,
    Client: pooled ? Unnamed : Named,
  })
  // Without these two a lost connection, idle or in a transaction, is an unhandled error and the end of the process.
  let isEnding = false
  pool.on('error', (error: Error & { code?: string }) => {
    if (!isEnding) log.warn({ code: error.code, message: error.message }, 'a database connection was lost')
  })
  pool.on('connect', (client) => client.on('error', () => {}))
  const pulse = watchLiveness(pool, clientConfig(address, undefined, pooled), log)

  const db = drizzle({ client: pool })
  // What statements were built for a connection is kept as long as that.
  const onClient = new WeakMap<pg.PoolClient, Db>()
  pool.on('connect', (client) => onClient.set(client, drizzle({ client })))
  // drizzle begins before it looks after its client: a failing `begin` would keep the connection forever.
  db.transaction = async <T>(work: (tx: Tx) => Promise<T>, config?: PgTransactionConfig): Promise<T> => {
    const client = await pool.connect()
    let isOutdated = false
    try {
      return await onClient.get(client)!.transaction((tx) => withDeferredWrites(tx, work), config)
    } catch (error) {
      isOutdated = outdatedCodes.includes(violationOf(error)?.code ?? '')
      throw error
    } finally {
      client.release(isOutdated || client.getTransactionStatus() !== 'I')
    }
  }
  return {
    pool,
    db,
    expectEnd: () => {
      isEnding = true
    },
    close: async () => {
      isEnding = true
      pulse.end()
      await pool.end()
    },
  }
}

// A prepared plan whose result has another type since a migration, or that the server has forgotten: the connection would fail for ever.
const outdatedCodes = ['0A000', '26000']
const awayCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]
const awayMessages = [
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
]

/** Whether an error says that the database cannot be reached or has no room left right now: answer 503 and invite another try. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as { code?: string; syscall?: string }
  // 57P0x: being shut down, crashed or starting; 08: connection; 53: out of connections, memory or disk; the last two: undone for others, and again
  if (
    code &&
    (/^(57P0|08|53|40001$|40P01$)/.test(code) ||
      awayCodes.includes(code) ||
      (code === 'ENOENT' && syscall === 'connect'))
  )
    return true
  if (awayMessages.some((message) => error.message.startsWith(message))) return true
  return isUnavailable(error.cause)
}
