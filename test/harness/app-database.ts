import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

/** Calls `work` with a connection to the database that an app started by `runApp` keeps in its data folder. */
export async function inAppDatabase<T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  // The fifth line names the folder of the socket.
  const host = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[4]!
  const client = new pg.Client({ host, user: 'sauce', database: 'sauce' })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Notifies the app that public lists or settings changed, as its services do, so that it no longer sends them from memory. */
export const notifyCatalog = (client: pg.Client): Promise<unknown> =>
  client.query(`SELECT pg_notify('sauce', '{"to":"catalogue"}')`)

/**
 * Adds listings for these channels, or for all: a program each hour from yesterday to tomorrow. The title is the name of the channel and the hour, and the
 * subtitle has the day, both in a time zone that is `minutesAhead` of UTC.
 */
export const addListings = (
  dataDir: string,
  { channelIds, minutesAhead = 0 }: { channelIds?: number[]; minutesAhead?: number } = {},
): Promise<void> =>
  inAppDatabase(dataDir, async (client) => {
    await client.query(`
      INSERT INTO guide_sources (name, read_at) VALUES ('Browser tests', now()) ON CONFLICT DO NOTHING`)
    await client.query(
      `INSERT INTO guide_channels (source_id, xmltv_id, name)
      SELECT s.id, 'channel.' || c.id, c.name FROM channels c, guide_sources s
      WHERE s.name = 'Browser tests' AND ($1::int[] IS NULL OR c.id = ANY ($1)) ON CONFLICT DO NOTHING`,
      [channelIds ?? null],
    )
    await client.query(`
      INSERT INTO channel_guides (channel_id, guide_channel_id, matched)
      SELECT split_part(xmltv_id, '.', 2)::int, id, 'id' FROM guide_channels ON CONFLICT DO NOTHING`)
    await client.query(
      `INSERT INTO guide_programs (guide_channel_id, starts_at, ends_at, title, subtitle, description)
      SELECT g.id, hour - ahead, hour - ahead + interval '1 hour', g.name || ' ' || to_char(hour, 'HH24'), 'Part ' || to_char(hour, 'DD'),
        'What happens at this hour.'
      FROM guide_channels g, cast($1::int * interval '1 minute' AS interval) ahead, date_trunc('hour', now() + ahead) current,
        generate_series(current - interval '1 day', current + interval '2 days', interval '1 hour') hour
      ON CONFLICT DO NOTHING`,
      [minutesAhead],
    )
    await notifyCatalog(client)
  })
