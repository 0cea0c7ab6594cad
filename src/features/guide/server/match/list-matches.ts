import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { Page } from '#kit/endpoint.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { channelGuides, channelStreams, channels, guideChannels, guideSources } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { type List, readPage } from '#server/lists/list.ts'
import type { ChannelMatch, Listing, matchListQuery, matchSorts } from '../../admin-contract.ts'
import { suggestionsFrom } from '../../match-rules.ts'
import type { MatchState } from '../../source-rules.ts'

type Query = z.output<typeof matchListQuery>

const inState = (state: MatchState): SQL =>
  state === 'unmatched'
    ? sql`not exists (select from channel_guides where channel_id = ${channels.id} and matched <> 'panel')`
    : sql`exists (select from channel_guides where channel_id = ${channels.id} and matched = ${state})`

const listing = {
  id: guideChannels.id,
  name: guideChannels.name,
  xmltvId: guideChannels.xmltvId,
  source: guideSources.name,
}

const selectMatches = (db: Db | Tx) =>
  db
    .select({
      id: channels.id,
      name: channels.name,
      category: channels.category,
      epgId: sql<string>`coalesce(${channelStreams.epgId}, '')`,
      matched: sql<ChannelMatch['matched']>`nullif(${channelGuides.matched}, 'panel')`,
      isFromPanel: sql<boolean>`coalesce(${channelGuides.matched} = 'panel', false)`,
      shiftMinutes: sql<number>`coalesce(${channelGuides.shiftMinutes}, 0)`,
      listing,
    })
    .from(channels)
    .leftJoin(channelStreams, eq(channelStreams.channelId, channels.id))
    .leftJoin(channelGuides, eq(channelGuides.channelId, channels.id))
    .leftJoin(guideChannels, and(eq(guideChannels.id, channelGuides.guideChannelId), isNotNull(guideChannels.sourceId)))
    .leftJoin(guideSources, eq(guideSources.id, guideChannels.sourceId))

/** Returns the listings of all sources. */
const allListings = (db: Db | Tx): Promise<Listing[]> =>
  db.select(listing).from(guideChannels).innerJoin(guideSources, eq(guideSources.id, guideChannels.sourceId))

async function rowsOf(db: Db | Tx, ids: number[]): Promise<ChannelMatch[]> {
  const rows = await selectMatches(db).where(inArray(channels.id, ids))
  const needsSuggestions = rows.some(({ matched }) => matched === null)
  const suggest = suggestionsFrom(needsSuggestions ? await allListings(db) : [])
  return rows.map(({ listing: shown, ...row }) => ({
    ...row,
    listing: shown?.id == null ? null : (shown as Listing),
    suggestion: row.matched === null ? (suggest(row.name, 1)[0] ?? null) : null,
  }))
}

const matchList: List<ChannelMatch, (typeof matchSorts)[number], Query> = {
  table: channels,
  sorts: { createdAt: [], name: [sql`lower(${channels.name})`] },
  where: ({ search, status }) =>
    and(search ? sql`strpos(lower(${channels.name}), lower(${search})) > 0` : undefined, status && inState(status)),
  rows: rowsOf,
}

/** Returns one page of the lineup's channels with their listings. `search` is a part of the channel name. */
export const listMatches = (db: Db, query: Query): Promise<Page<ChannelMatch>> => readPage(db, matchList, query)

/** Returns one channel with its listings. Throws 404. */
export async function matchById(db: Db | Tx, channelId: number): Promise<ChannelMatch> {
  return (await rowsOf(db, [channelId]))[0] ?? notFound('There is no such channel')
}

const maxListings = 20

/** Returns the listings whose name or id contains the search text; without a search, those with a similar name. Throws 404 for an unknown channel. */
export async function listListings(db: Db, channelId: number, search: string | undefined): Promise<Listing[]> {
  const [channel] = await db.select({ name: channels.name }).from(channels).where(eq(channels.id, channelId))
  if (!channel) return notFound('There is no such channel')
  const all = await allListings(db)
  if (!search) return suggestionsFrom(all)(channel.name, maxListings)
  const part = search.toLowerCase()
  return all
    .filter(({ name, xmltvId }) => name.toLowerCase().includes(part) || xmltvId.toLowerCase().includes(part))
    .toSorted((a, b) => a.name.length - b.name.length || a.name.localeCompare(b.name))
    .slice(0, maxListings)
}

/** Whether any channel has no match with a source. */
export const hasUnmatched = async (db: Db): Promise<boolean> => {
  const [one] = await db
    .select({ id: channels.id })
    .from(channels)
    .leftJoin(channelGuides, eq(channelGuides.channelId, channels.id))
    .where(or(isNull(channelGuides.channelId), eq(channelGuides.matched, 'panel')))
    .limit(1)
  return one !== undefined
}
