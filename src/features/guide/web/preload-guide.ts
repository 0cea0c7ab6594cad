import type { QueryClient } from '@tanstack/react-query'
import { listChannels } from '#features/catalog/contract.ts'
import { getWatch } from '#features/watch/contract.ts'
import { listWatchlist } from '#features/watchlist/contract.ts'
import { query } from '#web/data.ts'
import { getGuideNow } from '../contract.ts'
import { channelsPerPage, dayRange, guideDays, orderedChannels, shownDay } from '../view-rules.ts'
import { archivesOf, longestArchive } from './archives.ts'
import { guideQuery, listHours, searchQueries } from './guide-query.ts'
import { guideSearchOf, listedTime, type RawGuideSearch } from './guide-search.ts'

/** Loads the data with which the server renders the list of the guide, in UTC. The programs depend on the channels, so they are loaded after them. */
export async function preloadGuide(client: QueryClient, raw: RawGuideSearch): Promise<null> {
  const [channels, watchlist] = await Promise.all([
    client.ensureQueryData(query(listChannels)),
    client.ensureQueryData(query(listWatchlist)),
    client.ensureQueryData(query(getGuideNow)),
    client.prefetchQuery(query(getWatch)),
  ])
  const now = Date.now()
  const search = guideSearchOf(raw)
  const archiveHours = longestArchive(archivesOf(client.getQueryData(query(getWatch).queryKey)))
  const { day } = shownDay(guideDays(now, 'UTC', archiveHours), search.day)
  const time = listedTime(search, day, now, 'UTC')
  const listed = orderedChannels(
    channels,
    watchlist.map(({ id }) => id),
    search.category,
  ).channels.slice(0, channelsPerPage)
  if (search.q) {
    const { current, ended } = searchQueries(search, search.day === day ? dayRange(day, 'UTC') : undefined, now)
    await Promise.all([
      current.enabled && client.prefetchQuery(current),
      ended.enabled && archiveHours > 0 && client.prefetchQuery(ended),
    ])
  } else if (time !== undefined && listed.length > 0)
    await client.prefetchQuery(
      guideQuery(
        listed.map(({ id }) => id),
        time,
        listHours,
      ),
    )
  return null
}
