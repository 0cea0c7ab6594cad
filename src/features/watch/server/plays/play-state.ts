import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { anyOf, type Params, statement } from '#server/db/statement.ts'
import { channelStreams, channels, devices, lines, plays, sessions, users } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { faults, type Reason } from '../../rules.ts'
import { archiveHoursIn, isLicensed, isLicensedIn, isPublished, isWatchingOn } from '../rights/licensed.ts'
import { lineColumns } from './line-to-watch.ts'

const selectStates = (db: Db | Tx, condition: SQL) =>
  db
    .select({
      ...lineColumns,
      id: plays.id,
      deviceId: plays.deviceId,
      generation: plays.generation,
      openedAt: plays.openedAt,
      endedAt: plays.endedAt,
      why: plays.why,
      channelId: plays.channelId,
      stream: channels.panelStream,
      isTransport: sql<boolean>`coalesce(${channelStreams.isTransport}, false)`,
      relay: plays.relay,
      startsFrom: plays.startsFrom,
      programTo: plays.programTo,
      /** A browser is signed in while its session exists, any other device until it is removed. */
      isSignedIn: sql<boolean>`case when ${plays.sessionId} is null
        then exists (select from ${devices} where ${devices.id} = ${plays.deviceId} and ${devices.endedAt} is null)
        else exists (select from ${sessions} where ${sessions.id} = ${plays.sessionId} and ${sessions.userId} = ${plays.userId}) end`,
      isOffered: sql<boolean>`${isWatchingOn} and not ${channels.hidden} and ${isPublished(sql`${channels.id}`)}`,
      licensed: isLicensed(sql`${channels.id}`),
      licensedHere: isLicensedIn(sql`${channels.id}`, sql`${plays.country}`),
      archiveHours: archiveHoursIn(sql`${channels.id}`, sql`${plays.country}`),
    })
    .from(plays)
    .innerJoin(channels, eq(channels.id, plays.channelId))
    .innerJoin(users, eq(users.id, plays.userId))
    .leftJoin(lines, eq(lines.userId, plays.userId))
    .leftJoin(channelStreams, eq(channelStreams.channelId, plays.channelId))
    .where(condition)

/** Reads everything that decides whether a play may continue. `Traffic.state` caches it for a few seconds. */
export const readPlayState = statement('play_state', (db, { id }: Params<{ id: string }>) =>
  selectStates(db, eq(plays.id, id)),
)
/** Reads the states of several plays. */
export const readPlayStates = statement('play_states', (db, { ids }: Params<{ ids: string[] }>) =>
  selectStates(db, sql`${plays.id} = ${anyOf(ids, 'uuid')}`),
)
export type PlayState = Awaited<ReturnType<typeof readPlayState>>[number]

/** Returns why an open play must end now; null if it may continue. Does not check its line. */
export function whyToEnd({
  isSignedIn,
  isOffered,
  licensed,
  licensedHere,
  startsFrom,
  archiveHours,
}: Pick<
  PlayState,
  'isSignedIn' | 'isOffered' | 'licensed' | 'licensedHere' | 'startsFrom' | 'archiveHours'
>): Reason | null {
  if (!isSignedIn) return 'session_over'
  if (!isOffered || !licensed) return 'not_licensed'
  if (startsFrom !== null && archiveHours === 0 && licensedHere) return 'not_licensed'
  return licensedHere ? null : 'territory'
}

/** Whether a play made a request within the last `limits.relay.liveSeconds`. */
export const isRecent = sql`${plays.seenAt} > now() - make_interval(secs => ${limits.relay.liveSeconds})`
/** Whether a play uses a screen: it has not ended and made a request recently. */
export const isRunning = and(sql`${plays.endedAt} is null`, isRecent)!

/** Whether a play ended because of a failure of the channel or the panel. */
export const isFailure = sql`${plays.why} in (${sql.join(
  faults.map((fault) => sql`${fault}`),
  sql`, `,
)})`
