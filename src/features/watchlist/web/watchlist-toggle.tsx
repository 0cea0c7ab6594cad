import { BookmarkCheck, BookmarkPlus } from 'lucide-react'
import { Button } from '#web/ui/button/button.tsx'
import { useWatchlistToggle } from './use-watchlist-toggle.ts'

/** Adds one channel to the watchlist or removes it. For logged-in users; load it lazily, because public pages do not need it. */
export function WatchlistToggle({ channel }: { channel: { id: number; name: string } }) {
  const { isListed, isFailed, isPending, toggle } = useWatchlistToggle(channel)
  // Without the list, the button cannot show whether it would add or remove the channel.
  if (isFailed) return null
  const Icon = isListed ? BookmarkCheck : BookmarkPlus
  return (
    <Button variant="line" pending={isListed === undefined || isPending} onClick={toggle}>
      {isListed !== undefined && !isPending && <Icon size={18} />}
      {isListed ? 'Remove from Watchlist' : 'Add to Watchlist'}
    </Button>
  )
}
