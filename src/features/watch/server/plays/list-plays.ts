import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { channels, plays } from '#server/db/tables.ts'
import type { Play } from '../../contract.ts'
import { isRunning } from './play-state.ts'

/** The running plays of a customer, oldest first. */
export const listPlays = (db: Db, userId: number, sessionId: number): Promise<Play[]> =>
  db
    .select({
      id: plays.id,
      device: plays.device,
      channelId: plays.channelId,
      channelName: channels.name,
      since: plays.openedAt,
      isHere: sql<boolean>`${plays.sessionId} = ${sessionId}`,
    })
    .from(plays)
    .innerJoin(channels, eq(channels.id, plays.channelId))
    .where(and(eq(plays.userId, userId), isRunning))
    .orderBy(asc(plays.openedAt), asc(plays.id))
    .limit(100)
