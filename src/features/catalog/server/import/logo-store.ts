import { and, eq, sql } from 'drizzle-orm'
import type { EncodedImage } from '#features/images/server/encode-image.ts'
import { pathOfImage, storeImage } from '#features/images/server/image-store.ts'
import * as settings from '#features/settings/server/service.ts'
import { markPrefix } from '#kit/mark-logo.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { channelLogos, channels } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { changed, notifyCatalog } from '#server/live/notify.ts'

/**
 * Queues logos to be fetched for imported channels that show a drawn mark. Failed logos and logos with a new address are queued again. Returns how many
 * were queued.
 */
export async function requestLogos(tx: Tx, icons: readonly { stream: string; icon: string }[]): Promise<number> {
  const asked = sql`jsonb_to_recordset(${JSON.stringify(icons)}::jsonb) as asked (stream text, icon text)`
  // A channel whose logo has a new address shows its drawn mark until the logo is fetched again.
  await tx.execute(sql`
    update channels c set logo = ${markPrefix} || c.name, version = c.version + 1
    from ${asked}, channel_logos k join images on images.hash = k.hash
    where c.panel_stream = asked.stream and k.channel_id = c.id and k.source <> asked.icon and c.logo = ${pathOfImage}`)
  const { rowCount } = await tx.execute(sql`
    with found as (
      select c.id, c.hidden, asked.icon, k.channel_id is not null as is_known
      from ${asked} join channels c on c.panel_stream = asked.stream left join channel_logos k on k.channel_id = c.id
      where c.logo like ${`${markPrefix}%`}
    ), chosen as (
      (select id, icon from found where is_known) union all
      (select id, icon from found where not is_known order by hidden, id limit greatest(0, ${limits.logos.maxLogos}::int - (select count(*) from channel_logos)))
    )
    insert into channel_logos (channel_id, source) select id, icon from chosen
    on conflict (channel_id) do update set source = excluded.source, state = 'waiting', hash = null, failure = null, asked_at = null
    where channel_logos.state = 'failed' or channel_logos.source <> excluded.source`)
  return rowCount ?? 0
}

/** Shows the fetched logos, or the drawn marks instead. A logo that an administrator chose stays. */
export async function showLogos(tx: Tx, show: boolean): Promise<void> {
  const ofPanel = sql`from channel_logos k join images on images.hash = k.hash where k.channel_id = channels.id`
  await tx.execute(
    show
      ? sql`update channels set logo = ${pathOfImage}, version = channels.version + 1 ${ofPanel} and channels.logo like ${`${markPrefix}%`}`
      : sql`update channels set logo = ${markPrefix} || channels.name, version = channels.version + 1 ${ofPanel} and channels.logo = ${pathOfImage}`,
  )
  await notifyLineupChanged(tx)
}

/**
 * Claims at most `max` queued logos. A claimed logo counts as failed until it is stored, so it is not fetched again after a crash. Returns none while
 * panel logos are off.
 */
export async function claimLogos(db: Db, max: number): Promise<{ channelId: number; source: string }[]> {
  if (!(await settings.read(db, 'logos')).fromPanel) return []
  return db
    .update(channelLogos)
    .set({ state: 'failed', failure: 'The download was interrupted.', askedAt: sql`now()` })
    .where(
      sql`${channelLogos.channelId} in (select channel_id from ${channelLogos} where state = 'waiting' order by channel_id limit ${max} for update skip locked)`,
    )
    .returning({ channelId: channelLogos.channelId, source: channelLogos.source })
}

/** Stores a fetched logo or its failure. A logo is shown immediately unless panel logos were switched off. */
export async function storeLogo(db: Db, channelId: number, fetched: EncodedImage | { failure: string }): Promise<void> {
  const where = and(eq(channelLogos.channelId, channelId), eq(channelLogos.state, 'failed'))
  if ('failure' in fetched) return void (await db.update(channelLogos).set(fetched).where(where))
  await inTransaction(db, async (tx) => {
    const logo = await storeImage(tx, fetched)
    const [updated] = await tx
      .update(channelLogos)
      .set({ state: 'kept', failure: null, hash: fetched.hash })
      .where(where)
      .returning({ id: channelLogos.channelId })
    if (!updated || !(await settings.read(tx, 'logos')).fromPanel) return
    await tx
      .update(channels)
      .set({ logo, version: sql`${channels.version} + 1` })
      .where(and(eq(channels.id, channelId), sql`${channels.logo} like ${`${markPrefix}%`}`))
  })
}

/** Notifies open pages that the lineup changed. */
export async function notifyLineupChanged(db: Db | Tx): Promise<void> {
  await notifyCatalog(db)
  await changed(db, 'channel')
}

/** Returns how many logos are queued, stored and failed, and why the last one failed. */
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
