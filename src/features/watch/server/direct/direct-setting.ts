import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { watching } from '#server/db/tables.ts'

/** SQL for the hosts that pages may load streams from; empty while direct delivery is off. */
export const directHosts = sql<
  string[]
>`coalesce((select ${watching.directHosts} from ${watching} where ${watching.directEnabled}), '{}')`

/** Reads the hosts that pages may load streams from, in the order of the setting; empty while direct delivery is off. */
export async function readDirectHosts(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ hosts: string[] }>(sql`select ${directHosts} as hosts`)
  return rows[0]!.hosts
}
