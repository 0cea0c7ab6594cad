import { sql } from 'drizzle-orm'
import { watching } from '#server/db/tables.ts'

/** The hosts that pages may load streams from, for a query; empty while that is off. */
export const directHosts = sql<
  string[]
>`coalesce((select ${watching.directHosts} from ${watching} where ${watching.directEnabled}), '{}')`
