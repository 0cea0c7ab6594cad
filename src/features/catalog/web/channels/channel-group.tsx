import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import { memo, useRef } from 'react'
import type { Channel, ChannelCategory } from '../../contract.ts'
import { channelCount } from '../../rules.ts'
import { ChannelCard, type ChannelNote } from './channel-card.tsx'
import { RowArrows } from './row-arrows.tsx'

interface Props {
  id: ChannelCategory
  name: string
  channels: Channel[]
  /** Whether the group is hidden, because another category is selected. */
  folded: boolean
  /** Whether the cards are in a row that scrolls sideways, with a link to the whole category, and not in a grid. */
  asRow: boolean
  /** What is on, by channel id. `wait` reserves the space for it while it loads; undefined for cards without it. */
  notes: ReadonlyMap<number, ChannelNote> | 'wait' | undefined
  onOpen: (channel: Channel, card: HTMLElement) => void
}

/** A category with its channel cards. It stays mounted while another category is selected, so switching is fast and all channels are in the HTML. */
export const ChannelGroup = memo(function ChannelGroup({ id, name, channels, folded, asRow, notes, onOpen }: Props) {
  const row = useRef<HTMLUListElement>(null)
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={clsx('channel-group', folded && 'folded')}>
      <div className="channel-heading">
        <h2 id={`${id}-title`}>
          {name} <span className="num">{channelCount(channels.length)}</span>
        </h2>
        {asRow && (
          <div className="channel-more">
            <Link
              to={'/channels' as never}
              search={{ category: id } as never}
              resetScroll={false}
              className="channel-all"
            >
              See All<span className="sr-only"> in {name}</span>
              <ChevronRight size={16} />
            </Link>
            <RowArrows row={row} />
          </div>
        )}
      </div>
      <ul ref={row} className={clsx('channels', asRow && 'channels-row')}>
        {channels.map((channel) => (
          <ChannelCard
            key={channel.id}
            channel={channel}
            note={notes === 'wait' ? notes : notes && (notes.get(channel.id) ?? {})}
            onOpen={onOpen}
          />
        ))}
      </ul>
    </section>
  )
})
