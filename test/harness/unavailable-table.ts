import type { Pool } from 'pg'

/** Runs `work` while every query of a table fails as when the database shuts down. Writes to the table fail too. */
export async function withUnavailableTable<T>(pool: Pool, table: string, work: () => Promise<T>): Promise<T> {
  await pool.query(`ALTER TABLE ${table} RENAME TO away;
    CREATE FUNCTION shut_down() RETURNS boolean LANGUAGE plpgsql AS
      'BEGIN RAISE EXCEPTION ''shutting down'' USING ERRCODE = ''57P01''; END';
    CREATE VIEW ${table} AS SELECT * FROM away WHERE shut_down()`)
  try {
    return await work()
  } finally {
    await pool.query(`DROP VIEW ${table}; DROP FUNCTION shut_down(); ALTER TABLE away RENAME TO ${table}`)
  }
}
