import { Play } from 'lucide-react'
import type { Channel } from '../../contract.ts'
import { ChannelLogo } from './channel-logo.tsx'

/** What is on a channel, as the card shows it. */
export type ChannelNote = { now?: string | undefined; next?: string | undefined }
interface Props {
  channel: Channel
  /** Two lines below the name; undefined without them. */
  note?: ChannelNote | undefined
  onOpen: (channel: Channel, card: HTMLElement) => void
}

export function ChannelCard({ channel, note, onOpen }: Props) {
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
        {note && (
          <span className="channel-note">
            <span>
              {note.now && (
                <>
                  <b>Now</b> {note.now}
                </>
              )}
            </span>{' '}
            <span className="num">{note.next ?? (note.now ? '' : 'No listings today')}</span>
          </span>
        )}
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
