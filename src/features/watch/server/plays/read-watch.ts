import { and, eq, sql } from 'drizzle-orm'
import { categoryIndex } from '#features/catalog/server/service/read-lists.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { channelStreams, channels, watchChannels, watching } from '#server/db/tables.ts'
import type { Watch, WatchChannel } from '../../contract.ts'
import { archiveHours, type Reason } from '../../rules.ts'
import { archiveHoursIn, isLicensed, isLicensedIn, isWatchingOn } from '../rights/licensed.ts'
import { lineToWatch, readLineRow } from './line-to-watch.ts'

/** Returns what a customer can watch: the published channels, and why some or all of them cannot be played. */
export async function readWatch(db: Db, config: Config, userId: number, country: string | null): Promise<Watch> {
  const [published, row, [stored]] = await Promise.all([
    readWatchChannels(db, country),
    readLineRow(db, userId),
    db.select({ unattendedHours: watching.unattendedHours }).from(watching),
  ])
  const permitted = await lineToWatch(db, config, row)
  return {
    blocked: 'blocked' in permitted ? permitted.blocked : null,
    endedAt: row.isSubscribed ? null : row.subscriptionEndDate,
    screens: 'line' in permitted ? permitted.line.screens : 0,
    unattendedHours: stored!.unattendedHours,
    channels: published,
  }
}

/**
 * Returns the channels that are published for watching, by category and name, and why some cannot be played in this country. The result is the same for every
 * customer, and empty while watching is off.
 */
export async function readWatchChannels(db: Db, country: string | null): Promise<WatchChannel[]> {
  const channelId = sql`${channels.id}`
  const [rows, { claims }] = await Promise.all([
    db
      .select({
        id: channels.id,
        name: channels.name,
        category: channels.category,
        logo: channels.logo,
        number: channelStreams.number,
        video: channelStreams.video,
        audio: channelStreams.audio,
        archiveDays: sql<number>`coalesce(${channelStreams.archiveDays}, 0)`,
        licensedHours: archiveHoursIn(channelId, sql`${country}`),
        blocked: sql<Reason | null>`case when not ${isLicensed(channelId)} then 'not_licensed'
          when not ${isLicensedIn(channelId, sql`${country}`)} then 'territory' end`,
      })
      .from(watchChannels)
      .innerJoin(channels, eq(channels.id, watchChannels.channelId))
      .leftJoin(channelStreams, eq(channelStreams.channelId, channels.id))
      .where(and(isWatchingOn, eq(channels.hidden, false), sql`${channels.panelStream} is not null`))
      .orderBy(categoryIndex, sql`lower(${channels.name})`, channelId),
    settings.read(db, 'site'),
  ])
  return rows.map(({ archiveDays, licensedHours, ...channel }) => ({
    ...channel,
    archiveHours: archiveHours(archiveDays, licensedHours, claims.catchUpDays),
  }))
}
