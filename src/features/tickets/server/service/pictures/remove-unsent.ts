import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'

/** Removes pictures that were uploaded more than `hours` ago and have not been sent. Returns how many. */
export async function removeUnsentPictures(db: Db, hours: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    delete from ticket_pictures where message_id is null and created_at < now() - make_interval(hours => ${hours}::int)`)
  return rowCount ?? 0
}
