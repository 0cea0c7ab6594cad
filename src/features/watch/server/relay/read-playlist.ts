import { limits } from '#server/limits.ts'
import { openStream, type UpstreamResponse } from '#server/outbound/open-stream.ts'
import { assertStreamAddress, type StreamRules } from '#server/outbound/stream-address.ts'
import type { Key } from '#server/secrets/keys.ts'
import { rewritePlaylist } from './playlist.ts'
import { type AddressKind, addressSealer } from './sealed-address.ts'
import { failureReason, StreamFailure, statusReason } from './upstream-reason.ts'

/** `endsAt`: until when the addresses work, in milliseconds. It must not change between two readings of a playlist. */
type PlayAddresses = { key: Key; playId: string; generation: number; endsAt: number }
export type ReadPlaylist = {
  /** The address after redirects: a panel's redirect works once, and where it leads may be polled. */
  url: URL
  text: string
}
type Call = { url: URL; isFirst: boolean; wasBusy?: boolean; mayBeMaster: boolean; signal?: AbortSignal }

/** Reads a playlist from the panel and rewrites it for one play. Throws StreamFailure. */
export async function readPlaylist(
  { url, isFirst, wasBusy, mayBeMaster, signal }: Call,
  rules: StreamRules,
  play: PlayAddresses,
): Promise<ReadPlaylist> {
  const firstByteMs = isFirst ? limits.relay.openMs : limits.relay.firstByteMs
  let response: UpstreamResponse | undefined
  try {
    response = await openStream({ url, firstByteMs, ...(signal && { signal }) }, rules)
    const refused = statusReason(response.status, { wasBusy: wasBusy ?? false })
    if (refused) throw refused
    const bytes = await readAll(response)
    return { url: response.url, text: rewritten(bytes, response.url, { mayBeMaster, rules, play }) }
  } catch (error) {
    throw failureReason(error, { isFirst })
  } finally {
    response?.close()
  }
}

/** The body, at most `playlistBytes`, within the time limits. */
async function readAll({ body, close }: UpstreamResponse): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  const timer = setTimeout(close, limits.relay.firstByteMs)
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      length += chunk.length
      chunks.push(chunk)
      // Media instead of a playlist would never end.
      if (length >= 7 && !looksLikePlaylist(chunks[0]!.length >= 10 ? chunks[0]! : Buffer.concat(chunks)))
        throw new StreamFailure(isTransport(chunks[0]!) ? 'bad_stream' : 'channel_down', 'no playlist')
      if (length > limits.relay.playlistBytes) throw new StreamFailure('bad_stream', 'playlist too large')
    }
  } catch (error) {
    throw error instanceof StreamFailure ? error : new StreamFailure('channel_down', 'playlist cut off')
  } finally {
    clearTimeout(timer)
  }
  if (length < 7) throw new StreamFailure('channel_down', 'empty playlist')
  return Buffer.concat(chunks)
}

const looksLikePlaylist = (bytes: Buffer): boolean => /^(\xef\xbb\xbf)?#EXTM3U/.test(bytes.toString('latin1', 0, 10))
const isTransport = (bytes: Buffer): boolean => bytes[0] === 0x47

type Context = { mayBeMaster: boolean; rules: StreamRules; play: PlayAddresses }
function rewritten(bytes: Buffer, base: URL, { mayBeMaster, rules, play }: Context): string {
  const seal = addressSealer(play.key, play.playId)
  const rewrite = (uri: string, kind: AddressKind) => {
    const upstream = allowedAddress(uri, base, rules)
    return upstream && seal({ kind, upstream: upstream.href, generation: play.generation, endsAt: play.endsAt })
  }
  const playlist = rewritePlaylist(new TextDecoder().decode(bytes), { mayBeMaster, rewrite })
  if (!playlist.ok) throw new StreamFailure(playlist.reason, 'playlist')
  if (playlist.skipped >= limits.relay.failures) throw new StreamFailure('bad_stream', 'addresses refused')
  return playlist.text
}

/** The absolute address; undefined if it must not be called. A name that leads to a private address is found when it is called. */
function allowedAddress(uri: string, base: URL, rules: StreamRules): URL | undefined {
  const url = URL.parse(uri, base.href)
  try {
    if (url) assertStreamAddress(url, rules)
    return url ?? undefined
  } catch {
    return undefined
  }
}
