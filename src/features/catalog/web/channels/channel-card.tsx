import { Play } from 'lucide-react'
import type { Channel } from '../../contract.ts'
import { ChannelLogo } from './channel-logo.tsx'

interface Props {
  channel: Channel
  onOpen: (channel: Channel, card: HTMLElement) => void
}

export function ChannelCard({ channel, onOpen }: Props) {
  return (
    <li>
      <button
        type="button"
        className="channel"
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => onOpen(channel, currentTarget)}
      >
        <ChannelLogo channel={channel} />
        <span className="channel-name">{channel.name}</span>{' '}
        {channel.previewUrl && (
          <span className="channel-play">
            <Play size={12} />
            <span className="sr-only">with preview</span>
          </span>
        )}
      </button>
    </li>
  )
}
