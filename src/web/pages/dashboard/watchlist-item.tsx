import { X } from 'lucide-react'
import type { Channel } from '#features/catalog/contract.ts'
import { categoryName } from '#features/catalog/rules.ts'
import { ChannelLogo } from '#features/catalog/web/channels/channel-logo.tsx'
import { Button } from '../../ui/button/button.tsx'

export function WatchlistItem({
  channel,
  pending,
  onRemove,
}: {
  channel: Channel
  pending: boolean
  onRemove: () => void
}) {
  return (
    <li className="flex items-center gap-4 px-4.5 py-3.5 sm:px-6">
      <div className="w-20 flex-none">
        <ChannelLogo channel={channel} />
      </div>
      <div className="min-w-0 flex-1">
        <h3 className="text-base wrap-anywhere">{channel.name}</h3>
        <p className="text-sm text-fg-2">{categoryName(channel.category)}</p>
      </div>
      <Button variant="ghost" size="sm" pending={pending} onClick={onRemove}>
        {!pending && <X size={16} />}
        <span>
          Remove<span className="sr-only"> {channel.name} from watchlist</span>
        </span>
      </Button>
    </li>
  )
}
