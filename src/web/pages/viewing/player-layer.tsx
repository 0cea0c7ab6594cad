import { ChannelStrip } from '#features/watch/web/player/channel-strip.tsx'
import { PlayerGuide } from './player-guide.tsx'
import type { useWatching } from './use-watching.ts'

/** Shows the channel strip or the guide over the picture while playback continues. Choosing a channel closes the strip or guide. Load this component lazily. */
export function PlayerLayer({ watching }: { watching: ReturnType<typeof useWatching> }) {
  const { layer, setLayer, playable, current, guide, choose } = watching
  if (!current) return null
  const onClose = () => setLayer(undefined)
  const onChoose = (id: number) => {
    onClose()
    choose(id)
  }
  const shared = { channels: playable, current: current.id, programs: guide?.channels, at: guide?.at ?? 0 }
  return layer === 'strip' ? (
    <ChannelStrip {...shared} onChoose={onChoose} onClose={onClose} />
  ) : (
    <PlayerGuide {...shared} onChoose={onChoose} onClose={onClose} />
  )
}
