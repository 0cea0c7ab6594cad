import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'

/**
 * Returns whether channels can be watched on this site, and whether the program guide has listings. Listings of the panel cover few channels, so they do not
 * count.
 */
export async function siteOffers(db: Db): Promise<{ watching: boolean; listings: boolean }> {
  const { rows } = await db.execute<{ watching: boolean; listings: boolean }>(sql`
    select exists (select from watching where enabled_at is not null)
        and exists (select from watch_channels w join channels c on c.id = w.channel_id where not c.hidden and c.panel_stream is not null) as watching,
      exists (select from channel_guides where guide_channel_id is not null and matched <> 'panel') as listings`)
  return rows[0]!
}
