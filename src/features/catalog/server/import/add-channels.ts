import { sql } from 'drizzle-orm'
import { markLogo } from '#kit/mark-logo.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { channels } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { notifyLogos } from '#server/live/notify.ts'
import { inChunks } from '#server/overload/in-chunks.ts'
import type { ChannelCategory } from '../../contract.ts'
import type { Editor } from '../service/catalog-resource.ts'
import { publishChange } from '../service/publish-change.ts'
import { requestLogos } from './logo-store.ts'

/** A channel of the panel. `icon` is the URL of its logo; false if panel logos are not used. */
export type PanelChannel = {
  stream: string
  name: string
  category: ChannelCategory
  icon: string | false | null
  /** The channel's id in XMLTV files; empty if the panel has none. */
  epgId: string
  archiveDays: number
  /** The channel's number on the panel; null if it has none. */
  number: number | null
}
/**
 * The effect of importing a stream. `add`: adds a channel. `map`: maps the stream to an existing channel without a stream. `known`: nothing, because it
 * was imported before. `double`: nothing, because its name belongs to another stream.
 */
export type ImportOutcome = 'add' | 'map' | 'known' | 'double'
type KnownChannels = { streams: Set<string>; byName: Map<string, { id: number; panelStream: string | null }> }

const nameKey = (name: string): string => name.normalize('NFC').toLowerCase()

function* batchesOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += limits.player.importBatch)
    yield rows.slice(at, at + limits.player.importBatch)
}

/** Returns the streams and names in the catalog, which an import compares with those of the panel. */
async function knownChannels(db: Db | Tx): Promise<KnownChannels> {
  // If several channels have the same name, the one without a stream must come last, because the last one is used for mapping.
  const rows = await db
    .select({ id: channels.id, name: channels.name, panelStream: channels.panelStream })
    .from(channels)
    .orderBy(sql`${channels.panelStream} is null`)
  const known: KnownChannels = { streams: new Set(), byName: new Map() }
  await inChunks(rows, (row) => {
    if (row.panelStream !== null) known.streams.add(row.panelStream)
    known.byName.set(nameKey(row.name), row)
  })
  return known
}

/** Returns a function that classifies streams in order: of two new streams with the same name, only the first is added. */
export async function classifyStreams(
  db: Db | Tx,
): Promise<(stream: string, name: string) => { outcome: ImportOutcome; channelId?: number }> {
  const { streams, byName } = await knownChannels(db)
  const taken = new Set<string>()
  return (stream, name) => {
    if (streams.has(stream)) return { outcome: 'known' }
    const key = nameKey(name)
    const existing = byName.get(key)
    if (taken.has(key) || (existing && existing.panelStream !== null)) return { outcome: 'double' }
    taken.add(key)
    return existing ? { outcome: 'map', channelId: existing.id } : { outcome: 'add' }
  }
}

/**
 * Adds new channels and maps existing ones by name, in one audited transaction. Importing again changes nothing. New channels show drawn
 * marks; the panel's logos are fetched later. Returns how many streams had each outcome.
 */
export async function addChannels(
  db: Db,
  wanted: readonly PanelChannel[],
  { hidden }: { hidden: boolean },
  editor: Editor,
): Promise<Record<ImportOutcome, number>> {
  return inTransaction(db, async (tx) => {
    // Without the lock, concurrent imports would not see each other's names.
    await tx.execute(sql`lock table ${channels} in share row exclusive mode`)
    const outcomeOf = await classifyStreams(tx)
    const counts: Record<ImportOutcome, number> = { add: 0, map: 0, known: 0, double: 0 }
    const added: (PanelChannel & { logo: string })[] = []
    const mapped: { id: number; stream: string }[] = []
    await inChunks(wanted, (channel) => {
      const { outcome, channelId } = outcomeOf(channel.stream, channel.name)
      counts[outcome]++
      if (outcome === 'add') added.push({ ...channel, logo: markLogo(channel.name) })
      if (channelId !== undefined) mapped.push({ id: channelId, stream: channel.stream })
    })
    for (const batch of batchesOf(added))
      await tx.execute(sql`
        insert into ${channels} (name, category, logo, hidden, panel_stream)
        select name, category, logo, ${hidden}, stream
        from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as new (name text, category text, logo text, stream text)`)
    for (const batch of batchesOf(mapped))
      await tx.execute(sql`
        update ${channels} set panel_stream = found.stream
        from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as found (id integer, stream text) where channels.id = found.id`)
    for (const batch of batchesOf(wanted)) await storeStreams(tx, batch)
    let logos = 0
    for (const batch of batchesOf(wanted)) {
      const icons = batch.flatMap(({ stream, icon }) => (icon ? [{ stream, icon }] : []))
      if (icons.length > 0) logos += await requestLogos(tx, icons)
    }
    if (logos > 0) await notifyLogos(tx)
    if (added.length + mapped.length > 0) {
      const after = { added: added.length, mapped: mapped.length, hidden }
      await publishChange(tx, editor, 'channel', {
        action: 'channel.import',
        targetType: 'channel',
        targetId: 'panel',
        after,
      })
    }
    return counts
  })
}

/** Stores what the panel reports about its streams, where it differs from what is stored. */
async function storeStreams(tx: Tx, batch: readonly PanelChannel[]): Promise<void> {
  const found = batch.map(({ stream, epgId, archiveDays, number }) => ({
    stream,
    epg_id: epgId,
    archive_days: archiveDays,
    number,
  }))
  await tx.execute(sql`
    insert into channel_streams (channel_id, epg_id, archive_days, number)
    select distinct on (c.id) c.id, f.epg_id, f.archive_days, f.number
    from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as f (stream text, epg_id text, archive_days smallint, number integer)
      join ${channels} c on c.panel_stream = f.stream
    on conflict (channel_id) do update set epg_id = excluded.epg_id, archive_days = excluded.archive_days,
      number = excluded.number, seen_at = now()
      where (channel_streams.epg_id, channel_streams.archive_days, channel_streams.number)
        is distinct from (excluded.epg_id, excluded.archive_days, excluded.number)`)
}
