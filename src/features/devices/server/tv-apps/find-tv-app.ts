import { timingSafeEqual } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { devices } from '#server/db/tables.ts'
import { hashOfToken } from '#server/session/devices.ts'
import type { Lineup } from './lineups.ts'

export type TvApp = { deviceId: string; userId: number; username: string; password: string }
/** A request from a TV app. `lineup` returns the channels for the country of the IP address. */
export type TvAppRequest = { db: Db; config: Config; app: TvApp; lineup: () => Promise<Lineup> }

const noHash = Buffer.alloc(32)
const deviceOfApp = statement('device_link', (db, { name }: Params<{ name: string }>) =>
  db
    .select({
      deviceId: devices.id,
      userId: devices.userId,
      hash: devices.linkHash,
      isStale: sql<boolean>`${devices.seenAt} is null or ${devices.seenAt} < now() - interval '1 minute'`,
    })
    .from(devices)
    .where(and(eq(devices.linkName, name), isNull(devices.endedAt))),
)

/**
 * Returns the TV app with these credentials; undefined if they are wrong or the app was removed. Updates the time at which the app was last seen, at
 * most once a minute.
 */
export async function findTvApp(db: Db, username: string, password: string): Promise<TvApp | undefined> {
  if (!/^[a-z0-9]{8}$/.test(username) || password.length > 64) return undefined
  const [found] = await deviceOfApp(db, { name: username })
  if (!timingSafeEqual(hashOfToken(password), found?.hash ?? noHash) || !found) return undefined
  const { deviceId, userId, isStale } = found
  if (isStale) await db.update(devices).set({ seenAt: sql`now()` }).where(eq(devices.id, deviceId))
  return { deviceId, userId, username, password }
}
