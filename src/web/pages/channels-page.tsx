import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { currentUser } from '#features/accounts/contract.ts'
import { listChannels } from '#features/catalog/contract.ts'
import type { ChannelNote } from '#features/catalog/web/channels/channel-card.tsx'
import { ChannelsPage as Lineup } from '#features/catalog/web/channels/channels-page.tsx'
import { getSite } from '#features/settings/contract.ts'
import { query } from '../data.ts'
import { useIsHydrated } from '../ui/hydration/use-is-hydrated.ts'
import { useRunningPlan } from './use-running-plan.ts'

const loadExtras = () => import('./channel-extras.ts')
const WatchlistToggle = lazyRouteComponent(loadExtras, 'WatchlistToggle')
const ChannelNotes = lazyRouteComponent(loadExtras, 'ChannelNotes')
const WatchOptions = lazyRouteComponent(loadExtras, 'ChannelWatchOptions')

/** /channels: the lineup with current programs. Logged-in users get a watchlist button in the previews; subscribers also get links for watching. */
export function ChannelsPage() {
  const { data: user } = useSuspenseQuery(query(currentUser))
  const { data: site } = useSuspenseQuery(query(getSite))
  const { data: channels } = useQuery(query(listChannels))
  const running = useRunningPlan()
  // `ChannelNotes` is loaded lazily and the server does not preload it, so it is rendered only after hydration.
  const isHydrated = useIsHydrated()
  const [notes, setNotes] = useState<ReadonlyMap<number, ChannelNote>>()
  return (
    <>
      <Lineup
        previewAction={user ? WatchlistToggle : undefined}
        subscriberAction={running ? WatchOptions : undefined}
        notes={notes ?? (site.listings ? 'wait' : undefined)}
      />
      <Suspense>
        {isHydrated && site.listings && channels && <ChannelNotes channels={channels} onChange={setNotes} />}
      </Suspense>
    </>
  )
}
