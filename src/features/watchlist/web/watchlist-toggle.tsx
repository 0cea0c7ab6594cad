import { useQuery } from '@tanstack/react-query'
import { BookmarkCheck, BookmarkPlus } from 'lucide-react'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { Button } from '#web/ui/button/button.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { listWatchlist, updateWatchlist } from '../contract.ts'

/** Adds one channel to the watchlist or removes it. For logged-in users; load it lazily, because public pages do not need it. */
export function WatchlistToggle({ channel }: { channel: { id: number; name: string } }) {
  const { data: listed, error } = useQuery(query(listWatchlist))
  const send = useSend(updateWatchlist, [listWatchlist])
  // Without the list it is unknown whether the button would add or remove the channel.
  if (error && !listed) return null
  const isListed = listed?.some(({ id }) => id === channel.id) ?? false
  const Icon = isListed ? BookmarkCheck : BookmarkPlus
  const toggle = () =>
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
  return (
    <Button variant="line" pending={!listed || send.isPending} onClick={toggle}>
      {listed && !send.isPending && <Icon size={18} />}
      {isListed ? 'Remove from Watchlist' : 'Add to Watchlist'}
    </Button>
  )
}
