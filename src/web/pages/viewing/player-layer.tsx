import { ChannelStrip } from '#features/watch/web/player/channel-strip.tsx'
import { type LayerProps, PlayerGuide } from './player-guide.tsx'

export type PlayerLayerName = 'strip' | 'guide'
/** What is shown over the picture, which continues: the channel strip or the guide. A channel that is chosen in it closes it. Load it lazily. */
export function PlayerLayer({ name, onChoose, onClose, ...shared }: LayerProps & { name: PlayerLayerName }) {
  const choose = (id: number) => {
    onClose()
    onChoose(id)
  }
  return name === 'strip' ? (
    <ChannelStrip {...shared} onChoose={choose} onClose={onClose} />
  ) : (
    <PlayerGuide {...shared} onChoose={choose} onClose={onClose} />
  )
}
