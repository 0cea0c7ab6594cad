import { sql } from 'drizzle-orm'
import { countReporters } from '#features/watch/server/count-reporters.ts'
import { isFailure, isRunning } from '#features/watch/server/plays/play-state.ts'
import { readWorkingSince } from '#features/watch/server/read-working-since.ts'
import type { Db } from '#server/db/connect.ts'
import { plays } from '#server/db/tables.ts'
import type { ServerFacts } from '../contract.ts'

// A play that has just begun may still fail.
const isWatched = sql`${isRunning} and ${plays.openedAt} < now() - interval '10 seconds'`

/**
 * Reads how all channels (`service`) and this channel (`others`) played for other customers in the last 15 minutes, how many other customers reported this
 * channel in the last hour, and when an administrator began to work on it (`workingSince`).
 */
export async function readOtherViewers(
  db: Db,
  userId: number,
  channel: { id: number } | undefined,
): Promise<Pick<ServerFacts, 'others' | 'service' | 'workingSince'>> {
  const isChannel = sql`${plays.channelId} = ${channel?.id ?? 0}`
  const hasOutcome = sql`(${isWatched} or ${plays.endedAt} is not null)`
  const [[row], reporters, workingSince] = await Promise.all([
    db
      .select({
        starts: sql<number>`count(*) filter (where ${isChannel} and ${hasOutcome})::int`,
        failures: sql<number>`count(*) filter (where ${isChannel} and ${isFailure})::int`,
        failedCustomers: sql<number>`count(distinct ${plays.userId}) filter (where ${isChannel} and ${isFailure})::int`,
        viewers: sql<number>`count(distinct ${plays.userId}) filter (where ${isChannel} and ${isWatched})::int`,
        failingSince: sql<string | null>`min(${plays.endedAt}) filter (where ${isChannel} and ${isFailure})`.mapWith(
          (value: string) => new Date(value).toISOString(),
        ),
        allStarts: sql<number>`count(*) filter (where ${hasOutcome})::int`,
        allFailures: sql<number>`count(*) filter (where ${isFailure})::int`,
        allFailedCustomers: sql<number>`count(distinct ${plays.userId}) filter (where ${isFailure})::int`,
        failedChannels: sql<number>`count(distinct ${plays.channelId}) filter (where ${isFailure})::int`,
      })
      .from(plays)
      .where(sql`${plays.seenAt} > now() - interval '15 minutes' and ${plays.userId} <> ${userId}`),
    channel ? countReporters(db, userId, channel.id) : 0,
    channel ? readWorkingSince(db, channel.id) : null,
  ])
  const { allStarts, allFailures, allFailedCustomers, failedChannels, ...others } = row!
  return {
    others: { ...others, reports: reporters },
    service: { starts: allStarts, failures: allFailures, failedCustomers: allFailedCustomers, failedChannels },
    workingSince,
  }
}
