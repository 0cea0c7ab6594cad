import type pg from 'pg'
import { type GuideChannel, type LineupChannel, newMatches } from '../../match-rules.ts'

/** Returns the lineup with what `newMatches` needs for each channel. A channel that shows the panel's listings counts as not matched. */
export async function readLineup(client: pg.ClientBase, sourceId: number): Promise<LineupChannel[]> {
  const { rows } = await client.query<LineupChannel>(
    `select c.id as "channelId", c.name, coalesce(s.epg_id, '') as "epgId", nullif(g.matched, 'panel') as matched,
       g.guide_channel_id as "guideChannelId",
       coalesce(m.source_id = $1, false) as "isHere"
     from channels c left join channel_streams s on s.channel_id = c.id left join channel_guides g on g.channel_id = c.id
       left join guide_channels m on m.id = g.guide_channel_id
     order by c.id`,
    [sourceId],
  )
  return rows
}

/** Stores the new matches of a source in the caller's transaction. Returns how many were stored. */
export async function matchSource(client: pg.ClientBase, sourceId: number): Promise<number> {
  const lineup = await readLineup(client, sourceId)
  const { rows: channels } = await client.query<GuideChannel>(
    'select id, xmltv_id as "xmltvId", name from guide_channels where source_id = $1 order by id',
    [sourceId],
  )
  const found = newMatches(lineup, channels)
  if (found.length === 0) return 0
  const { rowCount } = await client.query(
    `insert into channel_guides (channel_id, guide_channel_id, matched)
     select n.channel_id, n.guide_channel_id, n.matched
     from jsonb_to_recordset($1::jsonb) as n (channel_id integer, guide_channel_id integer, matched text)
     where exists (select from channels c where c.id = n.channel_id)
     on conflict (channel_id) do update set guide_channel_id = excluded.guide_channel_id, matched = excluded.matched
       where channel_guides.matched <> 'hand'`,
    [
      JSON.stringify(
        found.map(({ channelId, guideChannelId, matched }) => ({
          channel_id: channelId,
          guide_channel_id: guideChannelId,
          matched,
        })),
      ),
    ],
  )
  return rowCount ?? 0
}
