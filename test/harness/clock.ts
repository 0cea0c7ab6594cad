import type pg from 'pg'
import { type Address, connect, type Database } from '#server/db/connect.ts'
import { silentLog } from './silent-log.ts'

export type Clock = Database & { set: (instant: string) => Promise<void> }

/**
 * Opens the same database with a clock that the test sets: `now()` in its statements and in column defaults reads a table. `zone` is the time zone of the
 * connections. With `onlyThisPool`, all other connections keep the real clock; without it, connections opened from now on use the set clock too.
 */
export async function withClock(
  { pool }: Database,
  address: Address,
  zone: string,
  { onlyThisPool = false } = {},
): Promise<Clock> {
  const { rows } = await pool.query('SELECT current_database() AS name')
  await pool.query(`
    CREATE SCHEMA clock;
    CREATE TABLE clock.set_to (instant timestamptz NOT NULL);
    INSERT INTO clock.set_to VALUES (pg_catalog.now());
    CREATE FUNCTION clock.now() RETURNS timestamptz STABLE LANGUAGE sql AS 'SELECT instant FROM clock.set_to';
    DO $$ DECLARE c record; BEGIN
      FOR c IN SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' AND column_default = 'now()' LOOP
        EXECUTE format('ALTER TABLE public.%I ALTER %I SET DEFAULT clock.now()', c.table_name, c.column_name);
      END LOOP;
    END $$;
    ALTER DATABASE ${rows[0].name} SET timezone = '${zone}';`)
  const searchPath = 'search_path = clock, pg_catalog, public'
  if (!onlyThisPool) await pool.query(`ALTER DATABASE ${rows[0].name} SET ${searchPath}`)
  const database = connect(address, { log: silentLog, max: 8, connectTimeoutMs: 15_000 })
  if (onlyThisPool) (database.pool as pg.Pool).on('connect', (client) => void client.query(`SET ${searchPath}`))
  return {
    ...database,
    set: async (instant) =>
      void (await (database.pool as pg.Pool).query('UPDATE clock.set_to SET instant = $1', [instant])),
  }
}
