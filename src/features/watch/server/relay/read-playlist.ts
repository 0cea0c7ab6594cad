import { limits } from '#server/limits.ts'
import { OutboundFailure } from '#server/outbound/outbound.ts'
import { assertStreamAddress, type StreamRules } from '#server/outbound/stream-address.ts'
import type { KeyOrRing } from '#server/secrets/keys.ts'
import { openSource, type SourceCall } from './open-source.ts'
import { rewritePlaylist } from './playlist.ts'
import { type AddressKind, addressSealer } from './sealed-address.ts'
import { StreamFailure } from './upstream-reason.ts'

/** `endsAt`: until when the addresses work, in milliseconds. It must not change between two readings of a playlist. */
export type PlayAddresses = { key: KeyOrRing; playId: string; generation: number; endsAt: number }
export type ReadPlaylist = {
  /** The address after redirects. A panel's redirect works only once, so only its target may be polled. */
  url: URL
  text: string
}

/** Reads a playlist from the panel and rewrites it for one play. Throws StreamFailure. */
export async function readPlaylist(
  { mayBeMaster, ...call }: SourceCall & { mayBeMaster: boolean },
  rules: StreamRules,
  play: PlayAddresses,
): Promise<ReadPlaylist> {
  const source = await openSource(call, rules)
  if (source.kind === 'transport') {
    source.close()
    throw new StreamFailure('bad_stream', 'no playlist')
  }
  return { url: source.url, text: rewrittenPlaylist(source, { mayBeMaster, rules, play }) }
}

type Context = { mayBeMaster: boolean; rules: StreamRules; play: PlayAddresses }
/** Rewrites a playlist that was read from `url` for one play. Throws StreamFailure. */
export function rewrittenPlaylist(
  { bytes, url: base }: { bytes: Buffer; url: URL },
  { mayBeMaster, rules, play }: Context,
): string {
  const seal = addressSealer(play.key, play.playId)
  const broken = new Set<string>()
  const rewrite = (uri: string, kind: AddressKind) => {
    const upstream = allowedAddress(uri, base, rules, broken)
    return upstream && seal({ kind, upstream: upstream.href, generation: play.generation, endsAt: play.endsAt })
  }
  const playlist = rewritePlaylist(new TextDecoder().decode(bytes), { mayBeMaster, rewrite })
  const detail = broken.size === 0 ? 'playlist' : `addresses refused: ${[...broken].join(', ')}`
  if (!playlist.ok) throw new StreamFailure(playlist.reason, detail)
  if (playlist.skipped >= limits.relay.failures) throw new StreamFailure('bad_stream', detail)
  return playlist.text
}

/**
 * Returns the absolute address. If it must not be called, returns undefined and adds the code of the violated rule to `broken`. A host name that resolves to a
 * private address is refused later, when it is called.
 */
function allowedAddress(uri: string, base: URL, rules: StreamRules, broken: Set<string>): URL | undefined {
  const url = URL.parse(uri, base.href)
  try {
    if (!url) throw new OutboundFailure('unreadable')
    assertStreamAddress(url, rules)
    return url
  } catch (error) {
    broken.add((error as OutboundFailure).code)
    return undefined
  }
}
