import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { listWatchlist, updateWatchlist } from '../contract.ts'

/** Returns whether a channel is on the watchlist, and a function that adds or removes it. `isListed` is undefined until the list is loaded. */
export function useWatchlistToggle(channel: { id: number; name: string } | undefined) {
  const { data: listed, error } = useQuery(query(listWatchlist))
  const send = useSend(updateWatchlist, [listWatchlist])
  const isListed = listed?.some(({ id }) => id === channel?.id)
  const toggle = () =>
    channel &&
    isListed !== undefined &&
    send.mutate(
      { params: { channelId: channel.id }, body: { listed: !isListed } },
      {
        onSuccess: () =>
          announce(
            isListed ? `${channel.name} removed from your watchlist` : `${channel.name} added to your watchlist`,
          ),
        onError: (failure) =>
          toast({ title: 'Watchlist not changed', description: messageOf(failure), variant: 'destructive' }),
      },
    )
  return { isListed, isFailed: Boolean(error && !listed), isPending: send.isPending, toggle }
}
