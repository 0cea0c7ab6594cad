import pg from 'pg'

/** A connection that prepares nothing under a name: behind a pooler the next transaction may be on a server that never heard of it. */
export class Unnamed extends pg.Client {
  // pg's own list of overloads, of which each takes a query first.
  override query = ((query: unknown, ...rest: unknown[]) => {
    const isNamed = typeof query === 'object' && query !== null && 'name' in query
    return super.query(
      ...([isNamed ? Object.assign(query, { name: undefined }) : query, ...rest] as Parameters<pg.Client['query']>),
    )
  }) as pg.Client['query']
}

/** Any number nobody else locks: processes that start at once set the same thing one after the other. */
const settingsLock = 7_283_002

/** Gives the app's role, in its database, what a pooler does not let each connection ask for. `direct` is the server itself. */
export async function settleRole(direct: pg.Pool): Promise<void> {
  const client = await direct.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [settingsLock])
    for (const setting of [
      "timezone = 'UTC'",
      "statement_timeout = '30s'",
      "idle_in_transaction_session_timeout = '30s'",
    ])
      await client.query(
        `do $$ begin execute format('alter role current_user in database %I set ', current_database()) || $set$${setting}$set$; end $$`,
      )
    await client.query('commit')
  } finally {
    client.release(client.getTransactionStatus() !== 'I')
  }
}

/** Throws with a sentence for the operator where the pooler lends connections that are older than the role's settings. */
export async function assertSettled(pooled: pg.Pool): Promise<void> {
  const { rows } = await pooled.query(
    `select current_setting('TimeZone') = 'UTC' and current_setting('statement_timeout') <> '0' as settled`,
  )
  if (!rows[0].settled)
    throw new Error(
      'The pooler in DATABASE_URL holds connections without the settings of the app. Have it connect anew (RECONNECT in its console) and start again.',
    )
}
