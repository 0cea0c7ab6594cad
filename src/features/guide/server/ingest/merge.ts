import type pg from 'pg'
import { matchSource } from '../match/match-source.ts'
import type { XmltvChannel } from './read-xmltv.ts'

export type StagedChannel = XmltvChannel & { n: number | null }
type Merge = {
  sourceId: number
  channels: StagedChannel[]
  /** Whether the file was not cut off. If it was, nothing is removed. */
  isComplete: boolean
}
export type Merged = {
  /** The number of programs of matched channels in the file. */
  kept: number
  /** The number of programs that were inserted or updated. */
  written: number
  /** The number of programs that were removed. */
  removed: number
  /** The number of channels that were newly matched. */
  matched: number
}
/** Thrown when the file has less than half as many upcoming programs as are stored. Nothing was changed. */
export class FarFewerPrograms extends Error {
  override name = 'FarFewerPrograms'
  readonly found: number
  readonly before: number
  constructor(found: number, before: number) {
    super('the file has far fewer programs')
    this.found = found
    this.before = before
  }
}

/**
 * Stores the file in one transaction: its channels, the matches, then the programs that differ. Within the time that the file covers, removes stored
 * programs that are no longer in the file. Throws FarFewerPrograms without having changed anything.
 */
export async function merge(client: pg.Client, { sourceId, channels, isComplete }: Merge): Promise<Merged> {
  await client.query('analyze guide_stage')
  await client.query('begin')
  try {
    // Keeps the source from being deleted, but lets the process that reads it extend its claim.
    await client.query('select from guide_sources where id = $1 for key share', [sourceId])
    await client.query("select pg_advisory_xact_lock(hashtext('guide'), $1)", [sourceId])
    await storeChannels(client, sourceId, channels, isComplete)
    const matched = await matchSource(client, sourceId)
    await client.query(cleanTable, [sourceId])
    await client.query('analyze guide_clean')
    const { rows } = await client.query<{ kept: number; found: number; before: number }>(counts, [sourceId])
    const { kept, found, before } = rows[0]!
    if (found * 2 < before) throw new FarFewerPrograms(found, before)
    const removed = isComplete ? await client.query(removeMissing, [sourceId]) : undefined
    await client.query(shortenEarlier)
    const written = await client.query(writeDiffering)
    // A file that was cut off removes nothing, so stored programs may overlap those of the file.
    if (!isComplete) await client.query(endAtNext)
    await client.query('commit')
    return { kept, written: written.rowCount ?? 0, removed: removed?.rowCount ?? 0, matched }
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** Writes channels that are new or renamed. Removes those that the file no longer has, unless they were matched by hand. */
async function storeChannels(client: pg.Client, sourceId: number, channels: StagedChannel[], isComplete: boolean) {
  await client.query(
    `create temporary table guide_stage_channels on commit drop as
     select min(n) as n, id as xmltv_id, (array_agg(name order by name = '', name))[1] as name
     from jsonb_to_recordset($1::jsonb) as f (n integer, id text, name text) group by id`,
    [JSON.stringify(channels)],
  )
  if (isComplete)
    await client.query(
      `delete from guide_channels c where c.source_id = $1
         and not exists (select from guide_stage_channels f where f.xmltv_id = c.xmltv_id)
         and not exists (select from channel_guides g where g.guide_channel_id = c.id and g.matched = 'hand')`,
      [sourceId],
    )
  await client.query(
    `insert into guide_channels (source_id, xmltv_id, name)
     select $1, f.xmltv_id, f.name from guide_stage_channels f
       left join guide_channels c on c.source_id = $1 and c.xmltv_id = f.xmltv_id
     where c.id is null or (c.name <> f.name and f.name <> '')
     on conflict (source_id, xmltv_id) do update set name = excluded.name`,
    [sourceId],
  )
}

/**
 * SQL that creates a table with the cleaned programs of matched channels. Of programs with the same channel and start, one is kept, with the later end
 * and the longer texts. A program without an end lasts until the next one starts, or 30 minutes if it is the last. None continues after the next one
 * starts, or lasts over 24 hours.
 */
const cleanTable = `create temporary table guide_clean on commit drop as
  select c.id as guide_channel_id, to_timestamp(s) as starts_at,
    to_timestamp(least(coalesce(e, next, s + 1800), coalesce(next, 2147483647), s + 86400)) as ends_at,
    title, subtitle, description, category, season, episode, is_new, features, rating
  from (
    select *, lead(s) over (partition by n order by s) as next from (
      select n, s, max(e) over (partition by n, s) as e, title, subtitle, description, category, season, episode, is_new, features, rating,
        row_number() over (partition by n, s order by length(description) desc, length(title) desc, title, description) as nth
      from guide_stage
    ) as numbered where nth = 1
  ) as staged
    join guide_stage_channels f using (n)
    join guide_channels c on c.source_id = $1 and c.xmltv_id = f.xmltv_id
  where exists (select from channel_guides g where g.guide_channel_id = c.id)`

const counts = `select (select count(*)::int from guide_clean) as kept,
  (select count(*)::int from guide_clean where starts_at > now()) as found,
  (select count(*)::int from guide_programs p join guide_channels c on c.id = p.guide_channel_id
   where c.source_id = $1 and p.starts_at > now() and exists (select from channel_guides g where g.guide_channel_id = c.id)) as before`

const removeMissing = `delete from guide_programs p using guide_channels c
  where c.id = p.guide_channel_id and c.source_id = $1
    and p.starts_at >= (select min(starts_at) from guide_clean) and p.starts_at < (select max(ends_at) from guide_clean)
    and not exists (select from guide_clean f where f.guide_channel_id = p.guide_channel_id and f.starts_at = p.starts_at)`

/** SQL that shortens stored programs from before the first program of the file, so that they end when it starts. */
const shortenEarlier = `update guide_programs p set ends_at = f.starts_at
  from (select guide_channel_id, min(starts_at) as starts_at from guide_clean group by guide_channel_id) f
  where p.guide_channel_id = f.guide_channel_id and p.ends_at > f.starts_at
    and p.starts_at < f.starts_at and p.starts_at > f.starts_at - interval '24 hours'`

const endAtNext = `update guide_programs p set ends_at = n.next
  from (select guide_channel_id, starts_at, lead(starts_at) over (partition by guide_channel_id order by starts_at) as next
    from guide_programs where guide_channel_id in (select guide_channel_id from guide_clean)) n
  where p.guide_channel_id = n.guide_channel_id and p.starts_at = n.starts_at and p.ends_at > n.next`

const columns = [
  'ends_at',
  'title',
  'subtitle',
  'description',
  'category',
  'season',
  'episode',
  'is_new',
  'features',
  'rating',
]
const columnsOf = (table: string) => columns.map((column) => `${table}.${column}`).join(', ')
const writeDiffering = `insert into guide_programs (guide_channel_id, starts_at, ${columns.join(', ')})
  select f.guide_channel_id, f.starts_at, ${columnsOf('f')} from guide_clean f
    left join guide_programs p on p.guide_channel_id = f.guide_channel_id and p.starts_at = f.starts_at
  where p.guide_channel_id is null or (${columnsOf('p')}) is distinct from (${columnsOf('f')})
  on conflict (guide_channel_id, starts_at) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`
