import { eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { lines } from '#server/db/tables.ts'

/** A column for a query of `lines`: the server for players of the line's panel; null for the main panel, whose server is in the settings. */
export const panelServer = sql<string | null>`(select nullif(p.server, '') from panels p where p.id = ${lines.panelId})`

/** The server for players of the customer's panel; null for the main panel and for a customer without a line. */
export async function serverOfLine(db: Db, userId: number): Promise<string | null> {
  const [row] = await db.select({ server: panelServer }).from(lines).where(eq(lines.userId, userId))
  return row?.server ?? null
}
