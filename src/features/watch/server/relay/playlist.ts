import { limits } from '#server/limits.ts'
import { attributesOf, writeAttributes } from './playlist-attributes.ts'
import type { AddressKind } from './sealed-address.ts'

export type Playlist =
  | { ok: true; text: string; isMaster: boolean; skipped: number }
  /** `protected`: encrypted with a method that browsers cannot open without a license. */
  | { ok: false; reason: 'bad_stream' | 'protected' }
/** Returns the address on this site for one on another server, or undefined if that server must not be called. */
export type Rewrite = (upstream: string, kind: AddressKind) => string | undefined

/** Tags that are passed on if their value matches this pattern. All other tags, comments and titles are removed, because they may contain addresses. */
const plainTags: Record<string, RegExp> = {
  'EXT-X-VERSION': /^\d{1,2}$/,
  'EXT-X-TARGETDURATION': /^\d{1,5}(\.\d{1,6})?$/,
  'EXT-X-MEDIA-SEQUENCE': /^\d{1,19}$/,
  'EXT-X-DISCONTINUITY-SEQUENCE': /^\d{1,15}$/,
  'EXT-X-DISCONTINUITY': /^$/,
  'EXT-X-ENDLIST': /^$/,
  'EXT-X-GAP': /^$/,
  'EXT-X-I-FRAMES-ONLY': /^$/,
  'EXT-X-INDEPENDENT-SEGMENTS': /^$/,
  'EXT-X-PLAYLIST-TYPE': /^(VOD|EVENT)$/,
  'EXT-X-BYTERANGE': /^\d{1,15}(@\d{1,15})?$/,
  'EXT-X-PROGRAM-DATE-TIME': /^[0-9T:+\-.Z]{10,40}$/,
  'EXT-X-START': /^TIME-OFFSET=-?\d{1,9}(\.\d{1,9})?(,PRECISE=(YES|NO))?$/,
}
const fail = (reason: 'bad_stream' | 'protected') => ({ ok: false, reason }) as const

/**
 * Rewrites an HLS playlist so that it contains only addresses of this site. Only known tags are passed on. `mayBeMaster`: whether it may list
 * variants; the playlist of a variant must not. Addresses that `rewrite` refuses are removed together with their tags and counted in `skipped`.
 */
export function rewritePlaylist(
  text: string,
  { mayBeMaster, rewrite }: { mayBeMaster: boolean; rewrite: Rewrite },
): Playlist {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  if (lines.length > limits.relay.lines || !/^#EXTM3U(\s|$)/.test(lines[0]!)) return fail('bad_stream')
  const isMaster = lines.some((line) => line.startsWith('#EXT-X-STREAM-INF:'))
  if (isMaster && !mayBeMaster) return fail('bad_stream')
  const out = ['#EXTM3U']
  /** Tags that belong to the next address. */
  let pending: string[] = []
  let isEncrypted = false
  let uris = 0
  let skipped = 0
  for (const line of lines.slice(1)) {
    if (line.length > limits.relay.lineBytes) return fail('bad_stream')
    const trimmed = line.trim()
    if (trimmed === '') continue
    if (!trimmed.startsWith('#')) {
      const address = rewrite(trimmed, isMaster ? 'media' : isEncrypted ? 'cipher' : 'segment')
      if (address === undefined) skipped++
      // An address without its tag is ignored.
      else if (pending.some((tag) => /^#(EXTINF|EXT-X-STREAM-INF):/.test(tag))) {
        out.push(...pending, address)
        if (++uris > limits.relay.variants && isMaster) return fail('bad_stream')
      }
      pending = []
      continue
    }
    const [, name = '', value = ''] = /^#([A-Z0-9-]+)(?::(.*))?$/.exec(trimmed) ?? []
    if (name === 'EXTINF') {
      const seconds = /^(\d{1,6}(\.\d{1,9})?)/.exec(value)?.[1]
      if (seconds === undefined) return fail('bad_stream')
      pending.push(`#EXTINF:${seconds},`)
    } else if (name === 'EXT-X-STREAM-INF') {
      pending.push(`#${name}:${writeAttributes(name, attributesOf(value))}`)
    } else if (name === 'EXT-X-KEY' || name === 'EXT-X-SESSION-KEY') {
      const key = attributesOf(value)
      const method = key.get('METHOD')
      if (method !== 'NONE' && method !== 'AES-128') return fail('protected')
      if (method === 'AES-128' && (key.get('KEYFORMAT') ?? '"identity"') !== '"identity"') return fail('protected')
      if (name === 'EXT-X-SESSION-KEY') continue
      isEncrypted = method === 'AES-128'
      const tag = withAddress(name, key, 'key', rewrite)
      if (isEncrypted && tag === undefined) return fail('bad_stream')
      out.push(tag ?? `#${name}:METHOD=NONE`)
    } else if (name === 'EXT-X-MAP') {
      const tag = withAddress(name, attributesOf(value), isEncrypted ? 'cipher' : 'segment', rewrite)
      if (tag === undefined) return fail('bad_stream')
      out.push(tag)
    } else if (name === 'EXT-X-MEDIA') {
      const attributes = attributesOf(value)
      const tag = attributes.has('URI')
        ? withAddress(name, attributes, 'media', rewrite)
        : `#${name}:${writeAttributes(name, attributes)}`
      if (tag === undefined) skipped++
      else out.push(tag)
      if (out.length > 10 * limits.relay.variants && isMaster) return fail('bad_stream')
    } else if (Object.hasOwn(plainTags, name) && plainTags[name]!.test(value)) {
      const tag =
        value === '' ? `#${name}` : `#${name}:${name === discontinuities ? Number(value) % maxDiscontinuities : value}`
      if (belongsToSegment.has(name)) pending.push(tag)
      else out.push(tag)
    }
  }
  return uris === 0 ? fail('bad_stream') : { ok: true, text: `${out.join('\n')}\n`, isMaster, skipped }
}

/** hls.js counts up to this number for every playlist: a large one would block the page. */
const discontinuities = 'EXT-X-DISCONTINUITY-SEQUENCE'
const maxDiscontinuities = 10_000
const belongsToSegment = new Set(['EXT-X-GAP', 'EXT-X-BYTERANGE', 'EXT-X-PROGRAM-DATE-TIME'])

/** Returns the tag with its URI replaced by an address on this site; undefined if the tag has no URI, or if the URI must not be called. */
function withAddress(
  name: string,
  attributes: Map<string, string>,
  kind: AddressKind,
  rewrite: Rewrite,
): string | undefined {
  const uri = /^"(.*)"$/.exec(attributes.get('URI') ?? '')?.[1]
  const address = uri && rewrite(uri, kind)
  if (!address) return undefined
  const others = writeAttributes(name, attributes)
  return `#${name}:${others}${others && ','}URI="${address}"`
}
