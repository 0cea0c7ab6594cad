import { textResponse } from '#server/http/text-response.ts'
import { pinnedAddress } from '#server/outbound/open-stream.ts'
import type { StreamRules } from '#server/outbound/stream-address.ts'
import { mediaTypes } from './media-type.ts'
import { failureReason } from './upstream-reason.ts'

const typeOfExtension: Record<string, string> = {
  mp4: mediaTypes.mp4,
  m4s: mediaTypes.mp4,
  m4v: mediaTypes.mp4,
  m4a: mediaTypes.mp4,
  aac: mediaTypes.audio,
  vtt: mediaTypes.subtitles,
  webvtt: mediaTypes.subtitles,
}

/**
 * The response that lets nginx fetch a segment from the panel (`/_up` in deploy/nginx.conf). The name is resolved and checked here, and
 * nginx calls the resulting address. Throws StreamFailure.
 */
export async function offloadSegment(
  upstream: URL,
  kind: 'segment' | 'cipher',
  signal: AbortSignal,
  rules: StreamRules,
): Promise<Response> {
  const pinned = await pinnedAddress(upstream, signal, rules).catch((error: unknown) => {
    throw failureReason(error, { isFirst: false })
  })
  const extension = /\.(\w{2,6})$/.exec(upstream.pathname)?.[1]?.toLowerCase() ?? ''
  const type = kind === 'cipher' ? mediaTypes.binary : (typeOfExtension[extension] ?? mediaTypes.transport)
  const headers = new Headers({
    'x-accel-redirect': '/_up',
    'x-up-url': pinned.url,
    'x-up-host': pinned.host,
    'x-up-name': pinned.name,
    'x-up-agent': rules.userAgent,
    'x-up-type': type,
    'cache-control': 'private, max-age=60',
  })
  // With a Content-Length of 0 nginx keeps the connection to this process. Without it, every segment opens a new one.
  return textResponse('', headers)
}
