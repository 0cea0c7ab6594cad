import { useSuspenseQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { currentUser } from '#features/accounts/contract.ts'
import { ChannelsPage as Lineup } from '#features/catalog/web/channels/channels-page.tsx'
import { query } from '../data.ts'

const WatchlistToggle = lazy(() =>
  import('#features/watchlist/web/watchlist-toggle.tsx').then((module) => ({ default: module.WatchlistToggle })),
)

/** /channels: the lineup. Logged-in users get a watchlist button in the previews. */
export function ChannelsPage() {
  const { data: user } = useSuspenseQuery(query(currentUser))
  return <Lineup previewAction={user ? WatchlistToggle : undefined} />
}
