import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { currentOf, type KeyOrRing } from '#server/secrets/keys.ts'

/**
 * The kinds of content that the address of a play may have. `playlist`: the first playlist, which may list variants; `media`: the playlist of a variant;
 * `segment`; `cipher`: an encrypted segment; `key`: its key. `packaged`: the playlist of a stream that is cut into segments here; `part`: one of these
 * segments, with its number as `upstream`. For the other kinds, `upstream` is the address on the panel, which must stay on the server.
 */
export const addressKinds = ['playlist', 'media', 'segment', 'cipher', 'key', 'packaged', 'part'] as const
export type AddressKind = (typeof addressKinds)[number]
export type StreamTarget = { kind: AddressKind; upstream: string; generation: number; endsAt: number }

const version = 1
const nonceBytes = 12
const tagBytes = 16
const headBytes = 12
/** The file extensions by kind, because some players check them. */
const extensions: Record<AddressKind, string> = {
  playlist: 'm3u8',
  media: 'm3u8',
  segment: 'ts',
  cipher: 'ts',
  key: 'key',
  packaged: 'm3u8',
  part: 'ts',
}

/** The most recently derived keys, by play and secret key. Deriving a key for each request took a sixth of the processor time of segment requests. */
const playKeys = new Map<string, KeyObject>()
const maxPlayKeys = 2_000

/**
 * Returns the key of a play. Each play has its own key, so that no key seals too many addresses. With a buffer instead of a key object, each use would take
 * seven times as long.
 */
function keyOf(key: Buffer, playId: string): KeyObject {
  const name = playId + key.toString('latin1')
  const known = playKeys.get(name)
  if (known) return known
  const derived = createSecretKey(Buffer.from(hkdfSync('sha256', key, playId, 'stream addresses', 32)))
  if (playKeys.size === maxPlayKeys) playKeys.delete(playKeys.keys().next().value!)
  playKeys.set(name, derived)
  return derived
}

/**
 * Returns a function that seals the addresses of one play as paths of this site. They cannot be read, changed, or used for another play. The same target always
 * gets the same path, because players compare the addresses in two readings of a playlist. Therefore the nonce is a MAC of the target.
 */
export function addressSealer(key: KeyOrRing, playId: string): (target: StreamTarget) => string {
  const playKey = keyOf(currentOf(key), playId)
  return ({ kind, upstream, generation, endsAt }) => {
    const head = Buffer.alloc(headBytes)
    head.writeUInt8(version, 0)
    head.writeUInt8(addressKinds.indexOf(kind), 1)
    head.writeUInt32BE(generation, 2)
    head.writeUIntBE(Math.floor(endsAt / 1000), 6, 6)
    const nonce = createHmac('sha256', playKey).update(head).update(upstream).digest().subarray(0, nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', playKey, nonce, { authTagLength: tagBytes }).setAAD(
      Buffer.from(playId),
    )
    const sealed = Buffer.concat([
      nonce,
      cipher.update(head),
      cipher.update(upstream, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ])
    return `/stream/${playId}/${sealed.toString('base64url')}.${extensions[kind]}`
  }
}

/** Opens the last part of an address. Returns undefined if it was changed, belongs to another play, or has expired. `now` is in milliseconds. */
export function openAddress(key: KeyOrRing, playId: string, sealed: string, now: number): StreamTarget | undefined {
  const text = /^([A-Za-z0-9_-]+)\.[a-z0-9]{2,4}$/.exec(sealed)?.[1]
  const bytes = Buffer.from(text ?? '', 'base64url')
  // Several Base64 texts decode to the same bytes. Only the one that was issued is accepted.
  if (bytes.length <= nonceBytes + headBytes + tagBytes || bytes.toString('base64url') !== text) return undefined
  const ring = Buffer.isBuffer(key) ? [key] : [key.current, ...key.others]
  for (const candidate of ring) {
    const plain = decrypted(keyOf(candidate, playId), bytes, playId)
    if (!plain) continue
    const kind = addressKinds[plain.readUInt8(1)]
    if (plain.readUInt8(0) !== version || kind === undefined || !sealed.endsWith(`.${extensions[kind]}`))
      return undefined
    const endsAt = plain.readUIntBE(6, 6) * 1000
    if (endsAt < now) return undefined
    return { kind, upstream: plain.toString('utf8', headBytes), generation: plain.readUInt32BE(2), endsAt }
  }
  return undefined
}

function decrypted(key: KeyObject, bytes: Buffer, playId: string): Buffer | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  }).setAAD(Buffer.from(playId))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
  } catch {
    return undefined
  }
}
