import { useEffect } from 'react'
import type { Watch } from '../../contract.ts'
import type { PlayState, Stop } from '../use-play.ts'
import { missingCodec } from './codec-support.ts'

type Channel = Watch['channels'][number] | undefined
type Actions = { end: (stop: Stop, by: string | null) => void; refetch: () => Promise<unknown> }
/** How long after the start of its first play the codecs of a channel are known, in milliseconds. */
const knownMs = 4_000

/** Stops a channel whose picture or sound this browser cannot play: its first play shows its codecs. */
export function useCodecCheck(channel: Channel, { phase }: PlayState, { end, refetch }: Actions): void {
  const isMissing = channel !== undefined && missingCodec(channel) !== undefined
  useEffect(() => {
    if (isMissing && phase === 'playing') end('codec', null)
  }, [isMissing, phase, end])
  const isUnknown = channel?.video === null && channel.audio === null && phase === 'playing'
  useEffect(() => {
    const timer = isUnknown ? setTimeout(() => void refetch(), knownMs) : undefined
    return () => clearTimeout(timer)
  }, [isUnknown, refetch])
}
