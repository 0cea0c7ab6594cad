import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { listWatchlist, updateWatchlist } from '#features/watchlist/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { toast } from '#web/ui/toast/toast.ts'

/**
 * Returns the favorite channels: those on the watchlist. `order` is their order when the page opened, so that a channel moves on the next visit and not
 * when its star is pressed.
 */
export function useFavorites() {
  const { data } = useQuery(query(listWatchlist))
  const send = useSend(updateWatchlist, [listWatchlist])
  const order = useRef<readonly number[]>(undefined)
  if (data) order.current ??= data.map(({ id }) => id)
  const listed = new Set(data?.map(({ id }) => id))
  const pendingId = send.isPending ? send.variables.params.channelId : undefined
  const isFavorite = (id: number) => (pendingId === id ? send.variables!.body.listed : listed.has(id))
  return {
    order: order.current ?? [],
    isFavorite,
    toggle: ({ id, name }: { id: number; name: string }) => {
      const isListed = isFavorite(id)
      send.mutate(
        { params: { channelId: id }, body: { listed: !isListed } },
        {
          onSuccess: () => announce(isListed ? `${name} is no longer a favorite` : `${name} is a favorite`),
          onError: (error) =>
            toast({ title: `${name} not changed`, description: messageOf(error), variant: 'destructive' }),
        },
      )
    },
  }
}
export type Favorites = ReturnType<typeof useFavorites>
