import { useCountFrames } from '#features/self-check/web/count-frames.ts'
import type { WatchChannel } from '#features/watch/contract.ts'
import { MediaSession } from '#features/watch/web/player/media-session.tsx'
import type { useWatching } from './use-watching.ts'

interface Props {
  watching: Pick<ReturnType<typeof useWatching>, 'video' | 'actions'>
  channel: WatchChannel
  /** The title of the program that plays, if it is known. */
  title: string | undefined
}

/** Counts frames and sets the media session while a channel plays. Renders nothing. Load this component lazily. */
export function WhilePlaying({ watching: { video, actions }, channel: { id, name, logo }, title }: Props) {
  useCountFrames(id, video)
  return <MediaSession title={title ?? name} channel={name} logo={logo ?? ''} actions={actions} />
}
