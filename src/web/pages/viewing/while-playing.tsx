import type { ComponentProps, RefObject } from 'react'
import { useCountFrames } from '#features/self-check/web/count-frames.ts'
import { MediaSession } from '#features/watch/web/player/media-session.tsx'

interface Props extends ComponentProps<typeof MediaSession> {
  channelId: number
  video: RefObject<HTMLVideoElement | null>
}

/** What is done while a channel plays, and not shown. Load it lazily. */
export function WhilePlaying({ channelId, video, ...session }: Props) {
  useCountFrames(channelId, video)
  return <MediaSession {...session} />
}
