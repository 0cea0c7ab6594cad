import pg from 'pg'

/** A client that ignores the names of prepared statements: behind a pooler, the next transaction may run on a server connection that has not prepared them. */
export class UnpreparedClient extends pg.Client {
  // pg declares several overloads; each has the query as its first argument.
  override query = ((query: unknown, ...rest: unknown[]) => {
    const isNamed = typeof query === 'object' && query !== null && 'name' in query
    return super.query(
      ...([isNamed ? Object.assign(query, { name: undefined }) : query, ...rest] as Parameters<pg.Client['query']>),
    )
  }) as pg.Client['query']
}

/** An advisory lock that nothing else uses: processes that start at the same time set the role's settings one after the other. */
const settingsLock = 7_283_002

/** Sets on the app's role, in its database, the settings that a pooler does not accept from each connection. `direct` is the server itself. */
export async function setRoleSettings(direct: pg.Pool): Promise<void> {
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

/** Throws an error with a message for the operator if the pooler has connections that are older than the role's settings. */
export async function assertRoleSettings(pooled: pg.Pool): Promise<void> {
  const { rows } = await pooled.query(
    `select current_setting('TimeZone') = 'UTC' and current_setting('statement_timeout') <> '0' as has_settings`,
  )
  if (!rows[0].has_settings)
    throw new Error(
      'The pooler in DATABASE_URL holds connections without the settings of the app. Make it reconnect (RECONNECT in its console) and start again.',
    )
}
