import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { screensOfCustomer } from '#features/watch/server/plays/line-to-watch.ts'
import { isRunning } from '#features/watch/server/plays/play-state.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { channels, devices, plays, sessions } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import type { Device, Devices } from '../contract.ts'

/**
 * Returns the devices of a customer: first those that are playing, then by the time of the last play. Browsers are listed only while they are logged
 * in. `sessionId` is the session of the caller.
 */
export async function listDevices(db: Db, config: Config, userId: number, sessionId: number): Promise<Devices> {
  const last = db
    .select({
      id: plays.id,
      channelId: plays.channelId,
      channelName: channels.name,
      openedAt: plays.openedAt,
      seenAt: plays.seenAt,
      isRunning: sql<boolean>`${isRunning}`.as('is_running'),
    })
    .from(plays)
    .innerJoin(channels, eq(channels.id, plays.channelId))
    .where(eq(plays.deviceId, devices.id))
    .orderBy(desc(plays.seenAt))
    .limit(1)
    .as('last')
  const [screens, rows] = await Promise.all([
    screensOfCustomer(db, config, userId),
    db
      .select({
        id: devices.id,
        kind: devices.kind,
        name: devices.name,
        agent: devices.agent,
        country: devices.country,
        isHere: sql<boolean>`coalesce(${devices.sessionId} = ${sessionId}, false)`,
        linkName: devices.linkName,
        addedAt: devices.createdAt,
        lastWatchedAt: last.seenAt,
        lastChannel: last.channelName,
        playId: last.id,
        channelId: last.channelId,
        since: last.openedAt,
        isRunning: sql<boolean>`coalesce(${last.isRunning}, false)`,
      })
      .from(devices)
      .leftJoinLateral(last, sql`true`)
      .where(
        and(
          eq(devices.userId, userId),
          isNull(devices.endedAt),
          sql`(${devices.kind} <> 'browser' or exists (select from ${sessions} where ${sessions.id} = ${devices.sessionId}))`,
        ),
      )
      .orderBy(
        sql`coalesce(${last.isRunning}, false) desc`,
        sql`${last.seenAt} desc nulls last`,
        desc(devices.createdAt),
        devices.id,
      )
      .limit(limits.lists.default),
  ])
  return { screens, devices: rows.map(shown) }
}

type Row = Omit<Device, 'playing'> & {
  playId: string | null
  channelId: number | null
  since: string | null
  isRunning: boolean
}
const shown = ({ playId, channelId, since, isRunning, ...device }: Row): Device => ({
  ...device,
  playing: isRunning
    ? { playId: playId!, channelId: channelId!, channelName: device.lastChannel!, since: since! }
    : null,
})
