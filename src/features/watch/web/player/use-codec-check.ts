import { useEffect } from 'react'
import type { Watch } from '../../contract.ts'
import type { PlayState, StopReason } from '../use-play.ts'
import { findMissingCodec } from './codec-support.ts'

type Channel = Watch['channels'][number] | undefined
type Actions = { end: (reason: StopReason, takenBy: string | null) => void; refetch: () => Promise<unknown> }
/** How long after its first play has started the server has detected the codecs of a channel, in milliseconds. */
const detectedMs = 4_000

/** Stops a channel whose picture or sound this browser cannot play. The server detects the codecs during the first play of a channel. */
export function useCodecCheck(channel: Channel, { phase }: PlayState, { end, refetch }: Actions): void {
  const isMissing = channel !== undefined && findMissingCodec(channel) !== undefined
  useEffect(() => {
    if (isMissing && phase === 'playing') end('codec', null)
  }, [isMissing, phase, end])
  const isUnknown = channel?.video === null && channel.audio === null && phase === 'playing'
  useEffect(() => {
    const timer = isUnknown ? setTimeout(() => void refetch(), detectedMs) : undefined
    return () => clearTimeout(timer)
  }, [isUnknown, refetch])
}
