import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { channels, devices, plays } from '#server/db/tables.ts'
import type { Play } from '../../contract.ts'
import { isRunning } from './play-state.ts'

/** Returns the running plays of a customer, oldest first. `isHere` selects the plays of the caller's device. */
export const listPlays = (db: Db, userId: number, isHere: SQL): Promise<Play[]> =>
  db
    .select({
      id: plays.id,
      device: sql<string>`coalesce(${devices.name}, ${plays.device})`,
      channelId: plays.channelId,
      channelName: channels.name,
      since: plays.openedAt,
      isHere: sql<boolean>`coalesce(${isHere}, false)`,
    })
    .from(plays)
    .innerJoin(channels, eq(channels.id, plays.channelId))
    .leftJoin(devices, eq(devices.id, plays.deviceId))
    .where(and(eq(plays.userId, userId), isRunning))
    .orderBy(asc(plays.openedAt), asc(plays.id))
    .limit(100)
