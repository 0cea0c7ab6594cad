import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { channels, panelGuideCalls } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'

const { atOnce, perMinute, keptMinutes, callMs } = limits.panelListings
const wasAsked = sql`asked_at > clock_timestamp() - make_interval(mins => ${keptMinutes})`
/**
 * A condition on `channels`: the panel may be asked for the channel's listings. The channel is visible and on the panel, it has no match with a source
 * or by hand, and the panel was not asked within the last `keptMinutes`.
 */
export const needsPanelListings = and(
  eq(channels.hidden, false),
  isNotNull(channels.panelStream),
  sql`not exists (select from channel_guides g where g.channel_id = ${channels.id} and g.matched <> 'panel')`,
  sql`not exists (select from panel_guide_calls where channel_id = ${channels.id} and ${wasAsked})`,
)!

/** Returns the panel's stream of a channel if the panel may be asked for the channel's listings; otherwise undefined. */
export async function streamToAskFor(db: Db, channelId: number): Promise<string | undefined> {
  const [channel] = await db
    .select({ stream: channels.panelStream })
    .from(channels)
    .where(and(eq(channels.id, channelId), needsPanelListings))
  return channel?.stream ?? undefined
}

/**
 * Counts a call to the panel for the listings of a channel. Returns false, and counts nothing, if the call may not be made. All processes count in the
 * same table, under a lock. The panel is asked for a channel at most once in ten minutes, so the rows of the last minute are the calls of that minute.
 * A process that ends without `endCall` blocks its call for seconds only.
 */
export const beginCall = (db: Db, channelId: number): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('guide'), -1)`)
    const { rowCount } = await tx.execute(sql`
      insert into panel_guide_calls as c (channel_id, asked_at, busy_until)
      select ${channelId}::int, clock_timestamp(), clock_timestamp() + make_interval(secs => ${callMs / 1_000 + 1})
      where (select count(*) from panel_guide_calls where asked_at > clock_timestamp() - interval '1 minute') < ${perMinute}
        and (select count(*) from panel_guide_calls where busy_until > clock_timestamp()) < ${atOnce}
      on conflict (channel_id) do update set asked_at = excluded.asked_at, busy_until = excluded.busy_until
        where c.asked_at <= clock_timestamp() - make_interval(mins => ${keptMinutes})`)
    return rowCount === 1
  })

/** Ends a call. A call that was not made is no longer counted. */
export async function endCall(db: Db, channelId: number, wasMade: boolean): Promise<void> {
  const call = eq(panelGuideCalls.channelId, channelId)
  if (wasMade) await db.update(panelGuideCalls).set({ busyUntil: null }).where(call)
  else await db.delete(panelGuideCalls).where(call)
}
