import { sql } from 'drizzle-orm'
import type { EpgProgram } from '#features/iptv/server/xtream/short-epg.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { limits } from '#server/limits.ts'
import { oneLine } from '../ingest/program-texts.ts'
import { clearNowCache } from '../read/read-now.ts'

type Cleaned = { s: number; e: number; title: string; description: string }
const daySeconds = 86_400

/**
 * Converts what the panel sent into valid listings, at `now` in seconds since 1970: in order of time, without programs that have ended or start too far
 * ahead. No program continues after the next one starts, or lasts over 24 hours. Texts are one line of limited length.
 */
export function cleanListings(programs: readonly EpgProgram[], now: number): Cleaned[] {
  const { programs: maxPrograms, aheadHours } = limits.panelListings
  const sorted = programs
    .map(({ startsAt, endsAt, title, description }) => ({
      s: Math.floor(startsAt),
      e: Math.floor(Math.min(endsAt, startsAt + daySeconds)),
      title: oneLine(title, 200),
      description: oneLine(description, 2_000),
    }))
    .filter(({ s, e, title }) => title !== '' && e > s && e > now && s < now + aheadHours * 3_600)
    .toSorted((a, b) => a.s - b.s)
    .filter(({ s }, index, all) => all[index - 1]?.s !== s)
  return sorted
    .map((program, index) => ({ ...program, e: Math.min(program.e, sorted[index + 1]?.s ?? program.e) }))
    .filter(({ e }) => e > now)
    .slice(0, maxPrograms)
}

/**
 * Stores the panel's listings of a channel. Returns the number of stored programs. Stored programs before and after them are kept. A match with a
 * source takes precedence: it replaces the match with the panel's listings and is never replaced by it.
 */
export async function storeListings(db: Db, channelId: number, sent: readonly EpgProgram[]): Promise<number> {
  const programs = cleanListings(sent, Date.now() / 1_000)
  if (programs.length === 0) return 0
  const from = sql`to_timestamp(${programs[0]!.s}::float8)`
  const to = sql`to_timestamp(${programs.at(-1)!.e}::float8)`
  await inTransaction(db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('guide panel'), ${channelId})`)
    const { rows } = await tx.execute<{ id: number }>(sql`
      insert into guide_channels (source_id, xmltv_id, name) select null, ${String(channelId)}::text, left(name, 200) from channels where id = ${channelId}
      on conflict (xmltv_id) where source_id is null do update set name = excluded.name returning id`)
    const id = rows[0]?.id
    // The channel was deleted.
    if (id === undefined) return
    await tx.execute(sql`insert into channel_guides (channel_id, guide_channel_id, matched) values (${channelId}, ${id}, 'panel')
      on conflict (channel_id) do nothing`)
    await tx.execute(
      sql`delete from guide_programs where guide_channel_id = ${id} and starts_at >= ${from} and starts_at < ${to}`,
    )
    await tx.execute(
      sql`update guide_programs set ends_at = ${from} where guide_channel_id = ${id} and starts_at < ${from} and ends_at > ${from}`,
    )
    await tx.execute(sql`insert into guide_programs (guide_channel_id, starts_at, ends_at, title, description)
      select ${id}::int, to_timestamp(s), to_timestamp(e), title, description
      from jsonb_to_recordset(${JSON.stringify(programs)}::jsonb) as p (s float8, e float8, title text, description text)`)
  })
  clearNowCache(db)
  return programs.length
}

/** Deletes listings of the panel that no channel shows any longer, because the channel was deleted or is now matched to a source. */
export async function removeUnusedListings(db: Db): Promise<void> {
  await db.execute(sql`delete from guide_channels c where source_id is null
    and not exists (select from channel_guides g where g.guide_channel_id = c.id)`)
}
