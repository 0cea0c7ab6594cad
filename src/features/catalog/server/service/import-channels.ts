import { sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { channels } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { notifyLogos } from '#server/live/notify.ts'
import { inChunks } from '#server/overload/in-chunks.ts'
import { type ChannelCategory, listAllChannels } from '../../contract.ts'
import { markLogo } from '../../rules.ts'
import type { Editor } from './catalogue-resource.ts'
import { queueLogos } from './channel-logos.ts'
import { publishChange } from './publish-change.ts'

/** `icon`: the URL of the panel's logo, when logos are imported. */
export type PanelChannel = { stream: string; name: string; category: ChannelCategory; icon: string | false | null }
/**
 * The outcome for a stream: `add` a new channel, `map` it to a channel that was created manually, `known` from an earlier import, or `double`
 * when another stream has the same name.
 */
export type ImportOutcome = 'add' | 'map' | 'known' | 'double'
type KnownChannels = { streams: Set<string>; byName: Map<string, { id: number; panelStream: string | null }> }

const nameKey = (name: string): string => name.normalize('NFC').toLowerCase()

function* batchesOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += limits.player.importBatch)
    yield rows.slice(at, at + limits.player.importBatch)
}

/** Loads the streams and names of all channels. */
async function knownChannels(db: Db | Tx): Promise<KnownChannels> {
  // Of several channels with the same name, the one without a stream is mapped: it comes last and overwrites the others.
  const rows = await db
    .select({ id: channels.id, name: channels.name, panelStream: channels.panelStream })
    .from(channels)
    .orderBy(sql`${channels.panelStream} is null`)
  const catalogue: KnownChannels = { streams: new Set(), byName: new Map() }
  await inChunks(rows, (row) => {
    if (row.panelStream !== null) catalogue.streams.add(row.panelStream)
    catalogue.byName.set(nameKey(row.name), row)
  })
  return catalogue
}

/** Returns a function for the outcome of each stream. Call it in import order: of two streams with the same name, the first is added. */
export async function importOutcomes(
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
 * Adds new channels and maps existing channels with the same name, in one transaction with one audit entry. Importing the same streams again
 * changes nothing. Channels get generated marks; requested panel logos are queued for download. Returns the count of each outcome.
 */
export async function importChannels(
  db: Db,
  wanted: readonly PanelChannel[],
  { hidden }: { hidden: boolean },
  editor: Editor,
): Promise<Record<ImportOutcome, number>> {
  return inTransaction(db, async (tx) => {
    // Concurrent imports would not see each other's names.
    await tx.execute(sql`lock table ${channels} in share row exclusive mode`)
    const outcomeOf = await importOutcomes(tx)
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
    let logos = 0
    for (const batch of batchesOf(wanted)) {
      const icons = batch.flatMap(({ stream, icon }) => (icon ? [{ stream, icon }] : []))
      if (icons.length > 0) logos += await queueLogos(tx, icons)
    }
    if (logos > 0) await notifyLogos(tx)
    if (added.length + mapped.length > 0) {
      const after = { added: added.length, mapped: mapped.length, hidden }
      await publishChange(tx, editor, listAllChannels, {
        action: 'channel.import',
        targetType: 'channel',
        targetId: 'panel',
        after,
      })
    }
    return counts
  })
}
