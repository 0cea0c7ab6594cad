import { drizzle } from 'drizzle-orm/node-postgres'
import type { PgTransactionConfig } from 'drizzle-orm/pg-core'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Connection } from '../postgres/connection.ts'
import { withDeferredWrites } from './deferred-writes.ts'
import { watchLiveness } from './liveness.ts'
import { UnpreparedClient } from './pooler.ts'
import { PreparedClient } from './prepared-statements.ts'
import { violationOf } from './retry.ts'
import type { Db as Queryable, Tx as Transaction } from './types.ts'

export type Db = Queryable
export type Tx = Transaction
/** The address of a PostgreSQL server: a `postgres://` URL or a Unix socket. */
export type Address = string | Connection

/** `expectEnd`: the process is about to end, possibly together with the server, so connections that are lost from now on are not logged. */
export type Database = { pool: pg.Pool; db: Db; expectEnd: () => void; close: () => Promise<void> }

/** How long a request waits for a connection when the server is unavailable or every connection is in use. */
const defaultConnectTimeoutMs = 1_500
const statementTimeoutMs = 30_000

/**
 * The settings of every connection: time zone UTC, and timeouts so that no statement or idle transaction holds locks
 * forever. `pooled`: a pooler refuses such settings, so they are set on the role instead (`pooler.ts`).
 */
export const clientConfig = (
  address: Address,
  connectTimeoutMs = defaultConnectTimeoutMs,
  pooled = false,
): pg.ClientConfig => ({
  ...(typeof address === 'string' ? { connectionString: address } : address),
  application_name: 'sauce',
  connectionTimeoutMillis: connectTimeoutMs,
  ...(!pooled && {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    options: '-c TimeZone=UTC',
  }),
  keepAlive: true,
})

type Options = {
  max?: number
  connectTimeoutMs?: number
  log: Pick<Logger, 'warn'>
  /** Through a pooler in transaction mode. */
  pooled?: boolean
}

/** A pool of at most `max` connections. While the server is unreachable, each query fails within 2 seconds (`isUnavailable`); the process continues. */
export function connect(address: Address, { max = 10, connectTimeoutMs, log, pooled = false }: Options): Database {
  const pool = new pg.Pool({
    ...clientConfig(address, connectTimeoutMs, pooled),
    max,
    idleTimeoutMillis: 60_000,
    Client: pooled ? UnpreparedClient : PreparedClient,
  })
  // Without these two listeners, a connection lost while idle or in a transaction is an unhandled error that ends the process.
  let isEnding = false
  pool.on('error', (error: Error & { code?: string }) => {
    if (!isEnding) log.warn({ code: error.code, message: error.message }, 'database connection lost')
  })
  pool.on('connect', (client) => client.on('error', () => {}))
  const liveness = watchLiveness(pool, clientConfig(address, undefined, pooled), log)

  const db = drizzle({ client: pool })
  // One drizzle object for each connection, since statements are built and cached for it.
  const drizzleOf = new WeakMap<pg.PoolClient, Db>()
  pool.on('connect', (client) => drizzleOf.set(client, drizzle({ client })))
  // drizzle's own `transaction` never releases the client when `begin` fails.
  db.transaction = async <T>(work: (tx: Tx) => Promise<T>, config?: PgTransactionConfig): Promise<T> => {
    const client = await pool.connect()
    let isOutdated = false
    try {
      return await drizzleOf.get(client)!.transaction((tx) => withDeferredWrites(tx, work), config)
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
      liveness.end()
      await pool.end()
    },
  }
}

// A prepared statement whose result type a migration has changed, or that the server no longer has: every further use of it would fail.
const outdatedCodes = ['0A000', '26000']
const unreachableCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // No file descriptor is free for a new connection.
  'EMFILE',
  'ENFILE',
]
const unreachableMessages = [
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
]

/** Whether an error means that the database is temporarily unreachable or out of resources: the response is 503, and the client may retry. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as { code?: string; syscall?: string }
  // 57P0x: shutting down, crashed or starting; 08: connection; 53: out of connections, memory or disk; 40: serialization failure and deadlock, after all retries
  if (
    code &&
    (/^(57P0|08|53|40001$|40P01$)/.test(code) ||
      unreachableCodes.includes(code) ||
      (code === 'ENOENT' && syscall === 'connect'))
  )
    return true
  if (unreachableMessages.some((message) => error.message.startsWith(message))) return true
  return isUnavailable(error.cause)
}
