import type { QueryClient } from '@tanstack/react-query'
import { listChannels } from '#features/catalog/contract.ts'
import { listWatchlist } from '#features/watchlist/contract.ts'
import { query } from '#web/data.ts'
import { getGuideNow } from '../contract.ts'
import { channelsPerPage, guideDays, orderedChannels, shownDay } from '../view-rules.ts'
import { guideQuery, listHours, searchQuery } from './guide-query.ts'
import { type GuideAddress, guideSearchOf, listedTime } from './guide-search.ts'

/** Loads the data with which the server renders the list of the guide, in UTC. The programs depend on the channels, so they are loaded after them. */
export async function preloadGuide(client: QueryClient, address: GuideAddress): Promise<null> {
  const [channels, watchlist] = await Promise.all([
    client.ensureQueryData(query(listChannels)),
    client.ensureQueryData(query(listWatchlist)),
    client.ensureQueryData(query(getGuideNow)),
  ])
  const now = Date.now()
  const search = guideSearchOf(address)
  const time = listedTime(search, shownDay(guideDays(now, 'UTC'), search.day).day, now, 'UTC')
  const listed = orderedChannels(
    channels,
    watchlist.map(({ id }) => id),
    search.category,
  ).channels.slice(0, channelsPerPage)
  if (search.q) await client.prefetchQuery(searchQuery(search.q, now))
  else if (time !== undefined && listed.length > 0)
    await client.prefetchQuery(
      guideQuery(
        listed.map(({ id }) => id),
        time,
        listHours,
      ),
    )
  return null
}
