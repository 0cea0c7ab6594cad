import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'

/** Runs queries: a connection pool or an open transaction. */
export type Db = PgDatabase<NodePgQueryResultHKT>
/** An open transaction. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
