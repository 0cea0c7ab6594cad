import { and, eq } from 'drizzle-orm'
import { channelCategories } from '#features/catalog/rules.ts'
import { isRunning } from '#features/watch/server/plays/play-state.ts'
import { readWatch } from '#features/watch/server/plays/read-watch.ts'
import { plays, users } from '#server/db/tables.ts'
import type { TvAppRequest } from './find-tv-app.ts'
import { logoAddress } from './playlist.ts'
import { type Listing, readListings } from './read-listings.ts'

type Answer = Record<string, unknown> | unknown[]

/** Films and series, of which there are none. */
const emptyActions = /^get_(vod|series)(_|$)/
const hourMs = 3_600_000
// The formats of Xtream panels: most numbers are strings, and texts of the guide are in Base64.
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const seconds = (ms: number): string => String(Math.floor(ms / 1000))
const dateTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
const categoryId = (category: string): string => String(channelCategories.findIndex(({ id }) => id === category) + 1)

/**
 * Answers a call of a TV app to the player API. An unknown action returns the account, as panels do. Channel ids are those of this site, and all times
 * are in UTC.
 */
export async function playerApi(request: TvAppRequest, query: URLSearchParams): Promise<Answer> {
  const action = query.get('action') ?? ''
  if (emptyActions.test(action)) return []
  if (action === 'get_live_categories')
    return channelCategories.map(({ id, name }) => ({
      category_id: categoryId(id),
      category_name: name,
      parent_id: 0,
    }))
  if (action === 'get_live_streams') return liveStreams(request, query.get('category_id'))
  if (action === 'get_short_epg' || action === 'get_simple_data_table') {
    const max = action === 'get_short_epg' ? shortLimit(query.get('limit')) : undefined
    return { epg_listings: await epgListings(request, query.get('stream_id') ?? '', max) }
  }
  return account(request)
}

/** The number of programs that an app asks for: 1 to 100, by default 4. */
function shortLimit(text: string | null): number {
  const limit = Math.floor(Number(text))
  return limit >= 1 ? Math.min(limit, 100) : 4
}

async function account({ db, config, app, country }: TvAppRequest): Promise<Answer> {
  const [watch, active, [user]] = await Promise.all([
    readWatch(db, config, app.userId, country),
    db.$count(plays, and(eq(plays.userId, app.userId), isRunning)),
    db
      .select({ createdAt: users.createdAt, endsAt: users.subscriptionEndDate })
      .from(users)
      .where(eq(users.id, app.userId)),
  ])
  const site = new URL(config.publicUrl)
  const isSecure = site.protocol === 'https:'
  const now = Date.now()
  return {
    user_info: {
      username: app.username,
      password: app.password,
      message: '',
      auth: 1,
      status: watch.blocked === null ? 'Active' : watch.blocked === 'expired' ? 'Expired' : 'Disabled',
      exp_date: user?.endsAt ? seconds(Date.parse(user.endsAt)) : null,
      is_trial: '0',
      active_cons: String(active),
      created_at: seconds(Date.parse(user!.createdAt)),
      max_connections: String(watch.screens),
      allowed_output_formats: ['m3u8'],
    },
    server_info: {
      url: site.hostname,
      port: isSecure ? '80' : site.port || '80',
      https_port: isSecure ? site.port || '443' : '',
      server_protocol: isSecure ? 'https' : 'http',
      rtmp_port: '',
      timezone: 'UTC',
      timestamp_now: Math.floor(now / 1000),
      time_now: dateTime(now),
      process: true,
    },
  }
}

async function liveStreams({ db, config, app, country }: TvAppRequest, category: string | null): Promise<Answer> {
  const { channels } = await readWatch(db, config, app.userId, country)
  return numbered(channels.filter(({ blocked }) => blocked === null))
    .filter((channel) => !category || categoryId(channel.category) === category)
    .map(({ id, name, category, logo, archiveHours, num }) => ({
      num,
      name,
      stream_type: 'live',
      stream_id: id,
      stream_icon: logoAddress(config.publicUrl, logo),
      epg_channel_id: String(id),
      added: '0',
      category_id: categoryId(category),
      custom_sid: '',
      tv_archive: archiveHours > 0 ? 1 : 0,
      direct_source: '',
      tv_archive_duration: Math.ceil(archiveHours / 24),
    }))
}

/** Apps need a number for each channel. Those without one of their own get the numbers after the highest. */
function numbered<C extends { number: number | null }>(channels: C[]): (C & { num: number })[] {
  let last = Math.max(0, ...channels.map(({ number }) => number ?? 0))
  return channels.map((channel) => ({ ...channel, num: channel.number ?? ++last }))
}

/** The programs of one channel: at most `max` from now on, or all from the beginning of its archive to two days ahead. */
async function epgListings(
  { db, config, app, country }: TvAppRequest,
  streamId: string,
  max?: number,
): Promise<Answer> {
  if (!/^\d{1,9}$/.test(streamId)) return []
  const { channels } = await readWatch(db, config, app.userId, country)
  const channel = channels.find(({ id, blocked }) => id === Number(streamId) && blocked === null)
  if (!channel) return []
  const now = Date.now()
  const archiveFrom = now - channel.archiveHours * hourMs
  const span =
    max === undefined
      ? { from: Math.min(archiveFrom, now - 6 * hourMs), to: now + 48 * hourMs }
      : { from: now, to: now + 24 * hourMs, max }
  const listings = await readListings(db, [channel.id], span)
  return listings.map((listing) => ({
    ...epgListing(listing),
    ...(max === undefined && {
      now_playing: listing.start <= now && listing.end > now ? 1 : 0,
      has_archive: listing.end < now && listing.start >= archiveFrom ? 1 : 0,
    }),
  }))
}

function epgListing({ channelId, start, end, title, description }: Listing) {
  return {
    id: `${channelId}${seconds(start)}`,
    epg_id: String(channelId),
    title: base64(title),
    lang: '',
    start: dateTime(start),
    end: dateTime(end),
    description: base64(description),
    channel_id: String(channelId),
    start_timestamp: seconds(start),
    stop_timestamp: seconds(end),
  }
}
