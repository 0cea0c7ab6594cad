import { desc, eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { channels, devices, plays, users } from '#server/db/tables.ts'
import { changed } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import { type ChannelHealth, maxPlays, type RunningPlay } from '../../admin-plays-contract.ts'
import { faults, type Reason } from '../../rules.ts'
import { isRunning } from './play-state.ts'

/** The newest running plays of all customers. */
export const listRunningPlays = (db: Db): Promise<RunningPlay[]> =>
  db
    .select({
      id: plays.id,
      userId: plays.userId,
      username: users.username,
      device: sql<string>`coalesce(${devices.name}, ${plays.device})`,
      since: plays.openedAt,
    })
    .from(plays)
    .innerJoin(users, eq(users.id, plays.userId))
    .leftJoin(devices, eq(devices.id, plays.deviceId))
    .where(isRunning)
    .orderBy(desc(plays.openedAt), desc(plays.id))
    .limit(maxPlays)

/** Ends a running play of any customer. Ending it twice, or a play that does not exist, changes nothing. */
export async function stopPlay(db: Db, id: string, { admin, requestId }: Actor): Promise<{ ended: true }> {
  await inTransaction(db, async (tx) => {
    const [play] = await tx
      .select({ userId: plays.userId, device: plays.device, endedAt: plays.endedAt })
      .from(plays)
      .where(eq(plays.id, id))
      .for('no key update')
    if (!play || play.endedAt !== null) return
    await tx
      .update(plays)
      .set({ endedAt: sql`now()`, why: 'closed' satisfies Reason })
      .where(eq(plays.id, id))
    await audit(tx, {
      actorId: admin.id,
      action: 'device.stop',
      targetType: 'user',
      targetId: play.userId,
      after: { name: play.device },
      requestId,
    })
    await changed(tx, 'play', { user: play.userId })
  })
  return { ended: true }
}

const isFault = sql`${plays.why} in (${sql.join(
  faults.map((fault) => sql`${fault}`),
  sql`, `,
)})`
const mostChannels = 100
/** Starts and failures of channels in the last 24 hours. */
export const listChannelHealth = (db: Db): Promise<ChannelHealth[]> =>
  db
    .select({
      channelId: channels.id,
      channelName: channels.name,
      viewers: sql<number>`count(distinct ${plays.userId}) filter (where ${isRunning})::int`,
      starts: sql<number>`count(*)::int`,
      failures: sql<number>`count(*) filter (where ${isFault})::int`,
      failedCustomers: sql<number>`count(distinct ${plays.userId}) filter (where ${isFault})::int`,
      lastFailureAt: sql<string | null>`max(${plays.endedAt}) filter (where ${isFault})`.mapWith((value: string) =>
        new Date(value).toISOString(),
      ),
      reason: sql<Reason | null>`mode() within group (order by ${plays.why}) filter (where ${isFault})`,
    })
    .from(plays)
    .innerJoin(channels, eq(channels.id, plays.channelId))
    .where(sql`${plays.seenAt} > now() - interval '24 hours'`)
    .groupBy(channels.id)
    .orderBy(sql`5 desc, 3 desc, 4 desc`, channels.id)
    .limit(mostChannels)
