import { desc, eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { channels, devices, plays, users } from '#server/db/tables.ts'
import type { Actor } from '#server/session/actor.ts'
import { type ChannelHealth, maxPlays, type RunningPlay } from '../../admin-plays-contract.ts'
import type { DirectOutcome } from '../../direct-rules.ts'
import type { Reason } from '../../rules.ts'
import { endOpenPlay } from './end-play.ts'
import { isFailure, isRunning } from './play-state.ts'

/** Returns the newest running plays of all customers. */
export const listRunningPlays = (db: Db): Promise<RunningPlay[]> =>
  db
    .select({
      id: plays.id,
      userId: plays.userId,
      username: users.username,
      device: sql<string>`coalesce(${devices.name}, ${plays.device})`,
      since: plays.openedAt,
      direct: sql<DirectOutcome | null>`${plays.direct}`,
    })
    .from(plays)
    .innerJoin(users, eq(users.id, plays.userId))
    .leftJoin(devices, eq(devices.id, plays.deviceId))
    .where(isRunning)
    .orderBy(desc(plays.openedAt), desc(plays.id))
    .limit(maxPlays)

/** Ends a running play of any customer. Does nothing if the play has already ended or does not exist. */
export async function stopPlay(db: Db, id: string, { admin, requestId }: Actor): Promise<{ ended: true }> {
  await inTransaction(db, async (tx) => {
    const play = await endOpenPlay(tx, { id }, 'closed')
    if (!play) return
    await audit(tx, {
      actorId: admin.id,
      action: 'device.stop',
      targetType: 'user',
      targetId: play.userId,
      after: { name: play.device },
      requestId,
    })
  })
  return { ended: true }
}

const counts = {
  viewers: sql<number>`count(distinct ${plays.userId}) filter (where ${isRunning})::int`,
  starts: sql<number>`count(*)::int`,
  failures: sql<number>`count(*) filter (where ${isFailure})::int`,
}
const maxChannels = 100
/** Returns starts and failures of channels in the last 24 hours: the channels with the most failures first, then those with the most viewers. */
export const listChannelHealth = (db: Db): Promise<ChannelHealth[]> =>
  db
    .select({
      channelId: channels.id,
      channelName: channels.name,
      ...counts,
      failedCustomers: sql<number>`count(distinct ${plays.userId}) filter (where ${isFailure})::int`,
      lastFailureAt: sql<string | null>`max(${plays.endedAt}) filter (where ${isFailure})`.mapWith((value: string) =>
        new Date(value).toISOString(),
      ),
      reason: sql<Reason | null>`mode() within group (order by ${plays.why}) filter (where ${isFailure})`,
    })
    .from(plays)
    .innerJoin(channels, eq(channels.id, plays.channelId))
    .where(sql`${plays.seenAt} > now() - interval '24 hours'`)
    .groupBy(channels.id)
    .orderBy(desc(counts.failures), desc(counts.viewers), desc(counts.starts), channels.id)
    .limit(maxChannels)
