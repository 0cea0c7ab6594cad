import { clsx } from 'clsx'
import { memo } from 'react'
import type { Channel, ChannelCategory } from '../../contract.ts'
import { channelCount } from '../../rules.ts'
import { ChannelCard } from './channel-card.tsx'

interface Props {
  id: ChannelCategory
  name: string
  channels: Channel[]
  /** Another category is selected. */
  folded: boolean
  onOpen: (channel: Channel, card: HTMLElement) => void
}

/** A category with its channel cards. It stays mounted while another category is selected, so switching is fast and all channels are in the HTML. */
export const ChannelGroup = memo(function ChannelGroup({ id, name, channels, folded, onOpen }: Props) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={clsx('channel-group', folded && 'folded')}>
      <h2 id={`${id}-title`}>
        {name} <span className="num">{channelCount(channels.length)}</span>
      </h2>
      <ul className="channels">
        {channels.map((channel) => (
          <ChannelCard key={channel.id} channel={channel} onOpen={onOpen} />
        ))}
      </ul>
    </section>
  )
})
