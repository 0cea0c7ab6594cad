import { and, eq } from 'drizzle-orm'
import { channelCategories } from '#features/catalog/rules.ts'
import { lineToWatch, readLineRow } from '#features/watch/server/plays/line-to-watch.ts'
import { isRunning } from '#features/watch/server/plays/play-state.ts'
import { plays, users } from '#server/db/tables.ts'
import type { TvAppRequest } from './find-tv-app.ts'
import type { StoredList } from './lineups.ts'
import { logoAddress } from './playlist.ts'
import { type Listing, readListings } from './read-listings.ts'

type Answer = Record<string, unknown> | unknown[] | StoredList

/** Actions that list films and series. This site has none, so they return empty lists. */
const emptyActions = /^get_(vod|series)(_|$)/
const hourMs = 3_600_000
// The value formats of Xtream panels: most numbers are strings, and guide texts are Base64.
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const seconds = (ms: number): string => String(Math.floor(ms / 1000))
const dateTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
const categoryId = (category: string): string => String(channelCategories.findIndex(({ id }) => id === category) + 1)

/**
 * Answers a player API call from a TV app. An unknown action gets the account, as on Xtream panels. Channel ids are those of this site, and all times
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

/** Returns the number of programs that an app asks for: 1 to 100, by default 4. */
function shortLimit(text: string | null): number {
  const limit = Math.floor(Number(text))
  return limit >= 1 ? Math.min(limit, 100) : 4
}

async function account({ db, config, app }: TvAppRequest): Promise<Answer> {
  const [row, active, [user]] = await Promise.all([
    readLineRow(db, app.userId),
    db.$count(plays, and(eq(plays.userId, app.userId), isRunning)),
    db.select({ createdAt: users.createdAt }).from(users).where(eq(users.id, app.userId)),
  ])
  const watching = await lineToWatch(db, config, row)
  const isBlocked = 'blocked' in watching
  const site = new URL(config.publicUrl)
  const isSecure = site.protocol === 'https:'
  const now = Date.now()
  return {
    user_info: {
      username: app.username,
      password: app.password,
      message: '',
      auth: 1,
      status: !isBlocked ? 'Active' : watching.blocked === 'expired' ? 'Expired' : 'Disabled',
      exp_date: row.subscriptionEndDate ? seconds(Date.parse(row.subscriptionEndDate)) : null,
      is_trial: '0',
      active_cons: String(active),
      created_at: seconds(Date.parse(user!.createdAt)),
      max_connections: String(isBlocked ? 0 : watching.line.screens),
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

/** Returns the channels of a category, or all channels without a category. */
async function liveStreams({ config, lineup }: TvAppRequest, category: string | null): Promise<Answer> {
  if (category && !channelCategories.some(({ id }) => categoryId(id) === category)) return []
  const current = await lineup()
  return current.list(category ?? '', () =>
    current.channels
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
      })),
  )
}

/** Returns the programs of a channel: at most `max` from now on, or without `max` all from the beginning of its archive to two days ahead. */
async function epgListings({ db, lineup }: TvAppRequest, streamId: string, max?: number): Promise<unknown[]> {
  if (!/^\d{1,9}$/.test(streamId)) return []
  const { channels } = await lineup()
  const channel = channels.find(({ id }) => id === Number(streamId))
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
