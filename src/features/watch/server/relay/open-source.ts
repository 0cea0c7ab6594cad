import { limits } from '#server/limits.ts'
import { openStream, type UpstreamResponse } from '#server/outbound/open-stream.ts'
import type { StreamRules } from '#server/outbound/stream-address.ts'
import { kindOfText } from './media-type.ts'
import { StreamFailure, statusFailure, streamFailureOf } from './upstream-reason.ts'

/** A running transport stream: its first bytes, and the iterator for the rest. */
export type TransportSource = {
  kind: 'transport'
  url: URL
  head: Buffer
  chunks: AsyncIterator<Buffer>
  close: () => void
}
/** A playlist. `allowedOrigin`: the origin whose pages may read it, from the header `Access-Control-Allow-Origin`. */
export type PlaylistSource = { kind: 'playlist'; url: URL; bytes: Buffer; allowedOrigin?: string | undefined }
/** What an address on the panel returned, recognized by its bytes. `url` is the address after redirects. */
export type Source = PlaylistSource | TransportSource
/** `origin`: the origin of the pages that are to load the stream directly from the panel. */
export type SourceCall = {
  url: URL
  isFirst: boolean
  wasBusy?: boolean
  origin?: string | undefined
  signal?: AbortSignal
}

/** Enough to find three packets in a transport stream that begins in the middle of a packet. */
const headBytes = 3 * 192

/** Opens a stream on the panel. A playlist is read to its end; a transport stream stays open. Throws StreamFailure. */
export async function openSource(
  { url, isFirst, wasBusy = false, origin, signal }: SourceCall,
  rules: StreamRules,
): Promise<Source> {
  const firstByteMs = isFirst ? limits.relay.openMs : limits.relay.firstByteMs
  let response: UpstreamResponse | undefined
  let isKept = false
  const stop = () => response?.close()
  signal?.addEventListener('abort', stop)
  try {
    response = await openStream(
      { url, firstByteMs, ...(origin && { headers: { origin } }), ...(signal && { signal }) },
      rules,
    )
    const refused = statusFailure(response.status, { wasBusy })
    if (refused) throw refused
    const source = await readSource(response)
    isKept = source.kind === 'transport'
    return source
  } catch (error) {
    throw streamFailureOf(error, { isFirst })
  } finally {
    signal?.removeEventListener('abort', stop)
    if (!isKept) stop()
  }
}

async function readSource({ url, headers, body, close }: UpstreamResponse): Promise<Source> {
  const chunks = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  const timer = setTimeout(close, limits.relay.firstByteMs)
  try {
    const read: Buffer[] = []
    let length = 0
    let head: Buffer = Buffer.alloc(0)
    for (;;) {
      const { value, done } = await chunks.next()
      if (done) break
      read.push(value)
      length += value.length
      if (head.length < headBytes) head = Buffer.concat([head, value])
      const mayBePlaylist = looksLikePlaylist(head)
      if (length >= headBytes && !mayBePlaylist && isTransport(head))
        return { kind: 'transport', url, head: Buffer.concat(read), chunks, close }
      // Anything else may never end.
      if (length >= 7 && !mayBePlaylist && !mayBeTransport(head)) throw noPlaylist(head)
      if (length >= headBytes && !mayBePlaylist) throw noPlaylist(head)
      if (length > limits.relay.playlistBytes) throw new StreamFailure('bad_stream', 'playlist too large')
    }
    const bytes = Buffer.concat(read)
    if (length < 7) throw new StreamFailure('channel_down', 'empty playlist')
    if (!looksLikePlaylist(bytes)) throw noPlaylist(head)
    return { kind: 'playlist', url, bytes, allowedOrigin: headers['access-control-allow-origin'] }
  } catch (error) {
    throw error instanceof StreamFailure ? error : new StreamFailure('channel_down', 'playlist cut off')
  } finally {
    clearTimeout(timer)
  }
}

const noPlaylist = (head: Buffer) => new StreamFailure('channel_down', `no playlist: ${kindOfText(head)}`)
const looksLikePlaylist = (bytes: Buffer): boolean => /^(\xef\xbb\xbf)?#EXTM3U/.test(bytes.toString('latin1', 0, 10))
/** False for HTML and JSON, so that they are refused after their first bytes. */
const mayBeTransport = (bytes: Buffer): boolean => !/^\s*[<{[]/.test(bytes.toString('latin1', 0, 20))
/**
 * Whether three packets follow each other: packets of 188 bytes, or of 192 bytes, which begin with a four-byte timestamp. Some panels begin in the middle of a
 * packet.
 */
function isTransport(bytes: Buffer): boolean {
  for (const stride of [188, 192])
    for (let at = 0; at < 192; at++)
      if ([at, at + stride, at + 2 * stride].every((each) => bytes[each] === 0x47)) return true
  return false
}
