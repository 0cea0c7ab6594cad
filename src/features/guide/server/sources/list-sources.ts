import { asc, eq, sql } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { guideSources } from '#server/db/tables.ts'
import { open, secretKey } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import type { GuideSource } from '../../admin-contract.ts'

const { id, name, sealed, zone, shownAs, enabled, state, note, programs, bytes, readAt, nextAt, version } = guideSources
const channels = sql<number>`(select count(*)::int from channel_guides g join guide_channels c on c.id = g.guide_channel_id
  where c.source_id = guide_sources.id)`

const select = (db: Db | Tx) =>
  db
    .select({
      id,
      name,
      sealed,
      zone,
      shownAs,
      enabled,
      state,
      note,
      programs,
      bytes,
      readAt,
      nextAt,
      version,
      channels,
    })
    .from(guideSources)
type Row = Awaited<ReturnType<typeof select>>[number]

/** Returns all sources in order of name. */
export async function listSources(db: Db, config: Config): Promise<GuideSource[]> {
  const rows = await select(db).orderBy(asc(sql`lower(${name})`))
  return rows.map((row) => shown(config, row))
}

/** Returns one source; undefined if there is none with this id. */
export async function sourceById(db: Db | Tx, config: Config, sourceId: number): Promise<GuideSource | undefined> {
  const [row] = await select(db).where(eq(id, sourceId))
  return row && shown(config, row)
}

const shown = (config: Config, { sealed: address, ...row }: Row): GuideSource => ({
  ...row,
  host: address === null ? null : hostOf(config, row.id, address),
})

/** Returns the host of an encrypted address. The rest of the address may contain credentials. */
function hostOf(config: Config, sourceId: number, address: string): string {
  try {
    return new URL(open(secretKey(config), address, sealedColumns.guideAddress.context(sourceId))).host
  } catch {
    return 'unreadable address'
  }
}
