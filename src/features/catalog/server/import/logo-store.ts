import { createHash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Picture } from '#kit/download.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { channelLogos, channels } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { notifyAdmins, notifyCatalogue } from '#server/live/notify.ts'
import { listAllChannels } from '../../admin-contract.ts'
import { markPrefix } from '../../rules.ts'

/** The address of a stored logo on this site. */
const logoPath = (hash: string): string => `/api/channel-logos/${hash}`
const ownLogoPath = sql`'/api/channel-logos/' || ${channelLogos.hash}`

/** Queues logos to be fetched for imported channels that show a drawn mark. Failed logos and those with a new address are queued again. Returns how many. */
export async function requestLogos(tx: Tx, icons: readonly { stream: string; icon: string }[]): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    with found as (
      select c.id, c.hidden, asked.icon, k.channel_id is not null as is_known
      from jsonb_to_recordset(${JSON.stringify(icons)}::jsonb) as asked (stream text, icon text)
      join ${channels} c on c.panel_stream = asked.stream left join ${channelLogos} k on k.channel_id = c.id
      where c.logo like ${`${markPrefix}%`} or c.logo = '/api/channel-logos/' || k.hash
    ), chosen as (
      (select id, icon from found where is_known) union all
      (select id, icon from found where not is_known order by hidden, id limit greatest(0, ${limits.logos.most}::int - (select count(*) from ${channelLogos})))
    )
    insert into ${channelLogos} (channel_id, source) select id, icon from chosen
    on conflict (channel_id) do update set source = excluded.source, state = 'waiting', type = null, hash = null, bytes = null, failure = null, asked_at = null
    where channel_logos.state = 'failed' or channel_logos.source <> excluded.source`)
  // A channel shows its drawn mark until its logo is fetched again.
  await tx.execute(
    sql`update ${channels} set logo = ${markPrefix} || name, version = version + 1 where logo like '/api/channel-logos/%' and id in (select channel_id from ${channelLogos} where state = 'waiting')`,
  )
  return rowCount ?? 0
}

/** Shows the fetched logos, or the drawn marks instead. A logo that an administrator chose stays. */
export async function showLogos(tx: Tx, show: boolean): Promise<void> {
  const isMarked = sql`${channels.logo} like ${`${markPrefix}%`}`
  await tx.execute(
    show
      ? sql`update ${channels} set logo = ${ownLogoPath}, version = version + 1 from ${channelLogos} where channel_id = ${channels.id} and state = 'kept' and ${isMarked}`
      : sql`update ${channels} set logo = ${markPrefix} || name, version = version + 1 from ${channelLogos} where channel_id = ${channels.id} and ${channels.logo} = ${ownLogoPath}`,
  )
  await notifyLineupChanged(tx)
}

/**
 * Claims at most `most` queued logos. Each counts as failed until it is stored, so a crash cannot fetch it twice. Returns none while panel
 * logos are off.
 */
export async function claimLogos(db: Db, most: number): Promise<{ channelId: number; source: string }[]> {
  if (!(await settings.read(db, 'logos')).fromPanel) return []
  return db
    .update(channelLogos)
    .set({ state: 'failed', failure: 'The download was interrupted.', askedAt: sql`now()` })
    .where(
      sql`${channelLogos.channelId} in (select channel_id from ${channelLogos} where state = 'waiting' order by channel_id limit ${most} for update skip locked)`,
    )
    .returning({ channelId: channelLogos.channelId, source: channelLogos.source })
}

/** Stores a fetched logo or its failure. A logo is shown immediately unless panel logos were switched off. */
export async function storeLogo(db: Db, channelId: number, fetched: Picture | { failure: string }): Promise<void> {
  const where = and(eq(channelLogos.channelId, channelId), eq(channelLogos.state, 'failed'))
  if ('failure' in fetched) return void (await db.update(channelLogos).set(fetched).where(where))
  const hash = createHash('sha256').update(fetched.bytes).digest('hex')
  await inTransaction(db, async (tx) => {
    const [updated] = await tx
      .update(channelLogos)
      .set({ state: 'kept', failure: null, hash, type: fetched.type, bytes: Buffer.from(fetched.bytes) })
      .where(where)
      .returning({ id: channelLogos.channelId })
    if (!updated || !(await settings.read(tx, 'logos')).fromPanel) return
    await tx
      .update(channels)
      .set({ logo: logoPath(hash), version: sql`${channels.version} + 1` })
      .where(and(eq(channels.id, channelId), sql`${channels.logo} like ${`${markPrefix}%`}`))
  })
}

/** Notifies open pages that the lineup changed. */
export async function notifyLineupChanged(db: Db | Tx): Promise<void> {
  await notifyCatalogue(db)
  await notifyAdmins(db, [listAllChannels.id])
}

/** How many logos are queued, stored and failed, and why the last one failed. */
export async function countLogos(
  db: Db | Tx,
): Promise<{ waiting: number; kept: number; failed: number; failure: string | null }> {
  const count = (state: string) => sql<number>`count(*) filter (where state = ${state})::int`
  const failure = sql<string | null>`(array_agg(failure order by asked_at desc) filter (where state = 'failed'))[1]`
  const [counts] = await db
    .select({ waiting: count('waiting'), kept: count('kept'), failed: count('failed'), failure })
    .from(channelLogos)
  return counts!
}

/** A stored logo by its hash. Throws 404 when there is none, or while panel logos are off. */
export async function logoPicture(db: Db, hash: string): Promise<Picture> {
  const [found] = await db
    .select({ type: channelLogos.type, bytes: channelLogos.bytes })
    .from(channelLogos)
    .where(eq(channelLogos.hash, hash))
    .limit(1)
  if (!found?.type || !found.bytes || !(await settings.read(db, 'logos')).fromPanel)
    return notFound('There is no such logo')
  return { type: found.type, bytes: new Uint8Array(found.bytes) }
}
