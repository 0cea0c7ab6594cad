import { limits } from '#server/limits.ts'
import { pinnedAddress } from '#server/outbound/open-stream.ts'
import type { StreamRules } from '#server/outbound/stream-address.ts'
import { mediaTypes } from './media-type.ts'
import { streamFailureOf } from './upstream-reason.ts'

const typeOfExtension: Record<string, string> = {
  mp4: mediaTypes.mp4,
  m4s: mediaTypes.mp4,
  m4v: mediaTypes.mp4,
  m4a: mediaTypes.mp4,
  aac: mediaTypes.audio,
  vtt: mediaTypes.subtitles,
  webvtt: mediaTypes.subtitles,
}

type OffloadedSegment = {
  playId: string
  upstream: URL
  kind: 'segment' | 'cipher'
  /** Whether nginx sends the segment as fast as the viewer reads it, without a rate limit. */
  isUnlimited: boolean
  signal: AbortSignal
}

/**
 * Returns the headers that let nginx fetch a segment from the panel (`/_up` in deploy/nginx.conf). The host name is resolved and checked here, and nginx calls
 * the resulting IP address. nginx limits the rate of the segment, and how many it sends for one play at the same time. Throws StreamFailure.
 */
export async function offloadSegment(
  { playId, upstream, kind, isUnlimited, signal }: OffloadedSegment,
  rules: StreamRules,
): Promise<Record<string, string>> {
  const pinned = await pinnedAddress(upstream, signal, rules).catch((error: unknown) => {
    throw streamFailureOf(error, { isFirst: false })
  })
  const extension = /\.(\w{2,6})$/.exec(upstream.pathname)?.[1]?.toLowerCase() ?? ''
  const type = kind === 'cipher' ? mediaTypes.binary : (typeOfExtension[extension] ?? mediaTypes.transport)
  return {
    'x-accel-redirect': '/_up',
    ...(!isUnlimited && { 'x-accel-limit-rate': String(limits.relay.bytesPerSecond) }),
    'x-up-play': playId,
    'x-up-url': pinned.url,
    'x-up-host': pinned.host,
    'x-up-name': pinned.name,
    'x-up-agent': rules.userAgent,
    'x-up-type': type,
    'cache-control': 'private, max-age=60',
  }
}
