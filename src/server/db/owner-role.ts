import type pg from 'pg'
import type { Logger } from 'pino'
import { connect } from './connect.ts'
import { migrate, migrationLock } from './migrate.ts'

/**
 * Migrates as the role of DATABASE_OWNER_URL and grants the app's role only the rights that the app needs. The app's role owns no table, so it can neither drop
 * a trigger nor change a row of an append-only table. Throws an error with a message for the operator if both URLs name the same role or different databases.
 */
export async function migrateAsOwner(ownerUrl: string, app: pg.Pool, log: Logger, migrations: string): Promise<void> {
  const { pool, close } = connect(ownerUrl, { log, max: 1 })
  try {
    await migrate(pool, migrations, log)
    const [owner, limited] = await Promise.all([roleOf(pool), roleOf(app)])
    if (owner.database !== limited.database)
      throw new Error('DATABASE_OWNER_URL and DATABASE_URL must name the same database.')
    if (owner.role === limited.role) throw new Error('DATABASE_OWNER_URL must name a different role than DATABASE_URL.')
    await grant(pool, limited.role)
  } finally {
    await close()
  }
}

async function roleOf(pool: pg.Pool): Promise<{ role: string; database: string }> {
  const { rows } = await pool.query(
    `select current_user as role, oid::text || ' ' || datname as database from pg_database where datname = current_database()`,
  )
  return rows[0]
}

/**
 * Grants the rights on all tables and sequences in `public` again after each migration. On append-only tables it grants only reading, inserting and, if the
 * table has that column, updating `withdrawn_at`.
 */
async function grant(pool: pg.Pool, role: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
    const { rows } = await client.query<{ statement: string }>(
      `with own as (
         select c.oid, c.relname, c.relkind, exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = c.relname || '_append_only') as append_only,
           exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'withdrawn_at' and not a.attisdropped) as withdrawable
         from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'S')
           and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
       )
       select format('grant usage on schema public to %I', $1::text) as statement
       -- The job queue creates its own schema, and the guide is read into a temporary table.
       union all select format('grant create, temporary on database %I to %I', current_database(), $1::text)
       union all select format('revoke all on %s from %I', oid::regclass, $1::text) from own where relkind = 'r'
       union all select format('grant %s on %s to %I',
         case when relname = 'migrations' then 'select' when append_only and withdrawable then 'select, insert, update (withdrawn_at)'
           when append_only then 'select, insert' else 'select, insert, update, delete' end,
         oid::regclass, $1::text) from own where relkind = 'r'
       union all select format('grant usage, select on sequence %s to %I', oid::regclass, $1::text) from own where relkind = 'S'`,
      [role],
    )
    for (const { statement } of rows) await client.query(statement)
    await client.query('commit')
  } finally {
    client.release(client.getTransactionStatus() !== 'I')
  }
}
