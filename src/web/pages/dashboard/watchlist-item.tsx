import { ArrowDown, ArrowUp, X } from 'lucide-react'
import type { Channel } from '#features/catalog/contract.ts'
import { categoryName } from '#features/catalog/rules.ts'
import { ChannelLogo } from '../../brand/channel-logo.tsx'
import { Button } from '../../ui/button/button.tsx'

interface Props {
  channel: Channel
  /** The position of the channel in the list, from 0. `count` is the number of channels in the list. */
  index: number
  count: number
  pending: boolean
  /** Moves the channel up (-1) or down (1) by one position. */
  onMove: (step: -1 | 1) => void
  onRemove: () => void
}

export function WatchlistItem({ channel, index, count, pending, onMove, onRemove }: Props) {
  return (
    <li
      data-channel={channel.id}
      className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2 px-4.5 py-3.5 sm:flex-nowrap sm:px-6"
    >
      <div className="w-20 flex-none">
        <ChannelLogo logo={channel.logo} />
      </div>
      <div className="min-w-32 flex-1">
        <h3 className="text-base wrap-anywhere">{channel.name}</h3>
        <p className="text-sm text-fg-2">{categoryName(channel.category)}</p>
      </div>
      <div className="flex flex-none items-center gap-1.5">
        {count > 1 && (
          <>
            <Button
              variant="ghost"
              icon
              data-step={-1}
              disabled={index === 0}
              aria-label={`Move ${channel.name} up`}
              onClick={() => onMove(-1)}
            >
              <ArrowUp size={18} />
            </Button>
            <Button
              variant="ghost"
              icon
              data-step={1}
              disabled={index === count - 1}
              aria-label={`Move ${channel.name} down`}
              onClick={() => onMove(1)}
            >
              <ArrowDown size={18} />
            </Button>
          </>
        )}
        <Button variant="ghost" size="sm" data-remove pending={pending} onClick={onRemove}>
          {!pending && <X size={16} />}
          <span>
            Remove<span className="sr-only"> {channel.name} from watchlist</span>
          </span>
        </Button>
      </div>
    </li>
  )
}
