import { eq, sql } from 'drizzle-orm'
import { type LineToWatch, lineToWatch, readLineRow } from '#features/watch/server/plays/line-to-watch.ts'
import { isRunning } from '#features/watch/server/plays/play-state.ts'
import { isLicensed, isLicensedIn, isPublished, isWatchingOn } from '#features/watch/server/rights/licensed.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { channelStreams, channels, devices, plays } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import type { ServerFacts } from '../contract.ts'

export type Viewer = { userId: number; sessionId: number; device: string; country: string | null }
type Customer = Pick<ServerFacts, 'account' | 'accountUntil'> & {
  kind: ServerFacts['line']['kind']
  line: LineToWatch | undefined
  connections: number
}

/** What our records say about the customer's subscription and line. */
export async function readCustomer(db: Db, config: Config, userId: number): Promise<Customer> {
  const row = await readLineRow(db, userId)
  const watching = await lineToWatch(db, config, row)
  const blocked = 'blocked' in watching ? watching.blocked : null
  const line = 'line' in watching ? watching.line : undefined
  return {
    account: blocked === 'expired' || blocked === 'paused' || blocked === 'preparing' ? blocked : 'ok',
    accountUntil: row.subscriptionEndDate,
    kind: !line ? 'none' : line.username === row.lineUsername ? 'ours' : 'synced',
    line,
    connections: line?.screens ?? 0,
  }
}

/** How many screens of the customer's plan are in use, and on which devices. `all`: how many screens the plan has. */
export async function readScreens(db: Db, { userId, sessionId }: Viewer, all: number): Promise<ServerFacts['screens']> {
  const running = await db
    .select({
      device: sql<string>`coalesce(${devices.name}, ${plays.device})`,
      isHere: sql<boolean>`coalesce(${plays.sessionId} = ${sessionId}, false)`,
    })
    .from(plays)
    .leftJoin(devices, eq(devices.id, plays.deviceId))
    .where(sql`${plays.userId} = ${userId} and ${isRunning}`)
    .limit(20)
  return {
    used: running.length,
    all,
    playsHere: running.some(({ isHere }) => isHere),
    devices: running.map(({ device }) => device),
  }
}

type Channel = { id: number; name: string; stream: string; isTransport: boolean; place: ServerFacts['place'] }
/** Reads a channel, and whether it is licensed for this country. Throws 404 for a channel that is not offered. */
export async function readChannel(db: Db, id: number, country: string | null): Promise<Channel> {
  const [channel] = await db
    .select({
      id: channels.id,
      name: channels.name,
      stream: channels.panelStream,
      isTransport: sql<boolean>`coalesce(${channelStreams.isTransport}, false)`,
      isOffered: sql<boolean>`${isWatchingOn} and not ${channels.hidden} and ${isPublished(sql`${channels.id}`)}`,
      licensed: isLicensed(sql`${channels.id}`),
      licensedHere: isLicensedIn(sql`${channels.id}`, sql`${country}`),
    })
    .from(channels)
    .leftJoin(channelStreams, eq(channelStreams.channelId, channels.id))
    .where(eq(channels.id, id))
  if (!channel?.isOffered || channel.stream === null) return notFound('This channel cannot be watched here')
  const place = !channel.licensed ? 'not_licensed' : channel.licensedHere ? 'ok' : 'territory'
  return { id, name: channel.name, stream: channel.stream, isTransport: channel.isTransport, place }
}
