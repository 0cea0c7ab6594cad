// Stores channels and viewers for apps that run as separate processes. This file uses no test runner, so that a bench can use it too.
import { sql } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { channelRights, channels, lines, watchChannels, watching } from '#server/db/tables.ts'
import { seal, secretKey } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import { openSession } from '#server/session/session.ts'
import { createUser } from './factories.ts'
import { linePassword } from './fake-panel.ts'
import { type HttpUser, httpUser } from './http-user.ts'

/** Turns watching on, and publishes a channel for each of these panel streams, available worldwide. Returns the ids of the channels in the same order. */
export async function offerStreams(db: Db, streams: string[]): Promise<number[]> {
  await db.update(watching).set({ enabledAt: sql`now()` })
  const added = await db
    .insert(channels)
    .values(
      // The names sort in the order of `streams`, because pages order channels by name.
      streams.map((panelStream, n) => ({
        name: `Stream ${100 + n}`,
        category: 'news' as const,
        logo: 'mark:S',
        panelStream,
      })),
    )
    .returning({ id: channels.id })
  const days = { validFrom: '2020-01-01', validUntil: '2099-12-31' }
  const right = { source: 'Satellite feed', licensor: 'Harbor Media', territories: 'WORLD', document: '1', ...days }
  await db.insert(channelRights).values(added.map(({ id }) => ({ channelId: id, ...right })))
  await db.insert(watchChannels).values(added.map(({ id }) => ({ channelId: id })))
  return added.map(({ id }) => id)
}

type Viewers = { count: number; connections?: number; browsers?: number }
/** Stores `count` customers, each with a ready line on the panel. Returns the logged-in browsers of each customer. */
export async function storeViewers(
  db: Db,
  config: Config,
  panelUrl: string,
  { count, connections = 1, browsers = 1 }: Viewers,
): Promise<HttpUser[][]> {
  const viewers: HttpUser[][] = []
  for (let n = 0; n < count; n++) {
    const user = await createUser(db)
    await db.insert(lines).values({
      userId: user.id,
      panel: 'test',
      lineRef: `line ${user.id}`,
      username: `line.${user.id}`,
      password: seal(secretKey(config), linePassword, sealedColumns.linePassword.context(user.id)),
      server: panelUrl,
      wantedEnabled: true,
      panelEnabled: true,
      wantedUntil: '2099-01-01T00:00:00Z',
      wantedConnections: connections,
    })
    const sessions: HttpUser[] = []
    for (let browser = 0; browser < browsers; browser++) {
      const token = await openSession(db, user, { ip: '127.0.0.1', userAgent: `Browser ${browser}` })
      sessions.push(httpUser(user.username, `sid=${token}`, 30_000))
    }
    viewers.push(sessions)
  }
  return viewers
}
