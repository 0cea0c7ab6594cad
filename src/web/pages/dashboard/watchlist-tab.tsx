import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { listWatchlist, updateWatchlist } from '#features/watchlist/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '../../data.ts'
import { announce } from '../../ui/announce.ts'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { useWatchlistOrder } from './use-watchlist-order.ts'
import { WatchlistItem } from './watchlist-item.tsx'

const MarkedPrograms = lazy(() =>
  import('#features/guide/web/marked-programs.tsx').then((module) => ({ default: module.MarkedPrograms })),
)

const HistoryCard = lazy(() =>
  import('#features/watch-progress/web/history-card.tsx').then((module) => ({ default: module.HistoryCard })),
)

/** The Watchlist tab of My Account: channels, marked programs of the guide, and the setting for the watch history. */
export function WatchlistTab() {
  const { data: channels, error, isFetching, refetch } = useQuery(query(listWatchlist))
  const send = useSend(updateWatchlist, [listWatchlist])
  const card = useRef<HTMLElement>(null)
  const { shown, move } = useWatchlistOrder(channels, card)
  // The server does not render lazily loaded components.
  const [isMounted, setIsMounted] = useState(false)
  useEffect(() => setIsMounted(true), [])
  const removedAt = useRef<number>(undefined)
  const removing = send.isPending ? send.variables.params.channelId : undefined

  // The clicked button disappears with its row: focuses the button of the next row, or the link to the channels.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves once the list has changed
  useEffect(() => {
    if (removedAt.current === undefined) return
    const buttons = card.current?.querySelectorAll<HTMLElement>('[data-remove]')
    const next = buttons?.[Math.min(removedAt.current, buttons.length - 1)] ?? card.current?.querySelector('a')
    next?.focus()
    removedAt.current = undefined
  }, [channels])

  const remove = (index: number, { id, name }: { id: number; name: string }) => {
    removedAt.current = index
    send.mutate(
      { params: { channelId: id }, body: { listed: false } },
      {
        onSuccess: () => announce(`${name} removed from your watchlist`),
        onError: (failure) => {
          removedAt.current = undefined
          toast({ title: 'Watchlist not changed', description: messageOf(failure), variant: 'destructive' })
        },
      },
    )
  }

  const browse = (
    <span className="flex flex-wrap gap-3">
      <ButtonLink to="/channels">Browse Channels</ButtonLink>
      <ButtonLink to="/guide" variant="line">
        Open Guide
      </ButtonLink>
    </span>
  )
  const isFilled = channels && channels.length > 0
  return (
    <>
      <Card ref={card} title="Watchlist" titleId="watchlist-title" flush footer={isFilled && browse}>
        {!channels && error && (
          <ErrorState
            title="Error loading your watchlist"
            message={messageOf(error)}
            pending={isFetching}
            onRetry={() => void refetch()}
          />
        )}
        {!channels && !error && <Skeleton className="m-6 h-40" />}
        {channels?.length === 0 && (
          <EmptyState action={browse}>Your watchlist is empty. Browse the channels to add some.</EmptyState>
        )}
        {isFilled && (
          <ul className="divide-y divide-line">
            {shown?.map((channel, index) => (
              <WatchlistItem
                key={channel.id}
                channel={channel}
                index={index}
                count={channels.length}
                pending={removing === channel.id}
                onMove={(step) => move(index, step)}
                onRemove={() => remove(index, channel)}
              />
            ))}
          </ul>
        )}
      </Card>
      <Suspense>{isMounted && <MarkedPrograms />}</Suspense>
      <Suspense>{isMounted && <HistoryCard />}</Suspense>
    </>
  )
}
