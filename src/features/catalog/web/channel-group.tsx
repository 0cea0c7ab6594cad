import { clsx } from 'clsx'
import { memo } from 'react'
import type { Channel, ChannelCategory } from '../contract.ts'
import { channelCount } from '../rules.ts'
import { ChannelCard } from './channel-card.tsx'

interface Props {
  id: ChannelCategory
  name: string
  channels: Channel[]
  /** Another category is chosen. */
  folded: boolean
  onOpen: (channel: Channel, card: HTMLElement) => void
}

/** One category with its cards. Kept while another one is chosen: it has nothing new to draw then, and stands in the page without scripts. */
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
