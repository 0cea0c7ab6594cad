import { Play } from 'lucide-react'
import type { ReactNode } from 'react'
import { ChannelLogo } from '#web/brand/channel-logo.tsx'
import type { Channel } from '../../contract.ts'

/** What is on now and next on a channel, for its card and its preview. */
export interface ChannelNote {
  now?: { title: string; until: string; over: number; picture: ReactNode } | undefined
  next?: { title: string; at: string } | undefined
}
interface Props {
  channel: Channel
  /** What is on, shown in two lines below the name. `wait` reserves their space while it loads; undefined for a card without them. */
  note?: ChannelNote | 'wait' | undefined
  onOpen: (channel: Channel, card: HTMLElement) => void
}

export function ChannelCard({ channel, note, onOpen }: Props) {
  const { now, next } = note && note !== 'wait' ? note : {}
  return (
    <li>
      <button
        type="button"
        className="channel"
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => onOpen(channel, currentTarget)}
      >
        <span className="channel-picture">
          {now?.picture}
          {/* The small logo is a separate element, because moving the large one would count as a layout shift. */}
          <ChannelLogo key={now ? 'small' : 'large'} logo={channel.logo} className={now && 'channel-mark'} />
          {now && <progress className="channel-over" aria-hidden="true" max={1} value={now.over} />}
        </span>
        <span className="channel-name">{channel.name}</span>{' '}
        {note && (
          <span className="channel-note">
            <span>
              {now && (
                <>
                  <b>Now</b> {now.title}
                </>
              )}
            </span>{' '}
            <span className="num">
              {next ? `${next.at} ${next.title}` : note === 'wait' || now ? '' : 'No listings today'}
            </span>
          </span>
        )}
        {channel.previewUrl && (
          <span className="channel-play">
            <Play size={14} />
            <span className="sr-only">with preview</span>
          </span>
        )}
      </button>
    </li>
  )
}
