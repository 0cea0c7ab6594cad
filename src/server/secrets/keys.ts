import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import { readKeyFile } from './key-file.ts'
import type { SealedPlace } from './sealed-columns.ts'

const version = 'v2:'
/** Written before keys had names: any of ours may open it. */
const nameless = 'v1:'
const nonceBytes = 12
const tagBytes = 16

/** The key that seals, and further ones that only open, while values move from one key to another. */
export type Keys = { readonly current: Buffer; readonly others: readonly Buffer[] }
/** One key alone, or a ring of them. */
export type Key = Buffer | Keys

/** The key of a ring that seals. */
export const currentOf = (key: Key): Buffer => (Buffer.isBuffer(key) ? key : key.current)

/** The name of a key, twelve hexadecimal digits: it stands before what the key sealed and tells nothing of it. */
export const keyName = (key: Buffer): string =>
  createHmac('sha256', key).update('the name of a key').digest('hex').slice(0, 12)

/** The key that authenticates backups, derived from a key that seals: its tag tells nothing of that one. */
export const backupKey = (key: Buffer): Buffer => createHmac('sha256', key).update('authenticates backups').digest()

/** What everything begins with that this key sealed. */
export const sealedPrefix = (key: Key): string => `${version}${keyName(currentOf(key))}:`

/**
 * Encrypts a text (AES-256-GCM, random nonce) with the current key. `place` names where it will lie, `table:id:column`: moved elsewhere
 * it cannot be opened. A new kind of place joins the list in `sealed.ts` first, so that a rotation of the key reaches it.
 */
export function seal(key: Key, value: string, place: SealedPlace): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', currentOf(key), nonce, { authTagLength: tagBytes }).setAAD(
    Buffer.from(place),
  )
  const sealed = Buffer.concat([nonce, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return sealedPrefix(key) + sealed.toString('base64url')
}

/** The text again, with whichever key of the ring sealed it. Throws when that is none of them, or the place or a single bit is another. */
export function open(key: Key, sealed: string, place: string): string {
  const isNameless = sealed.startsWith(nameless)
  const name = isNameless ? undefined : /^v2:([0-9a-f]{12}):/.exec(sealed)?.[1]
  const bytes = Buffer.from(
    sealed.slice(isNameless ? nameless.length : version.length + (name?.length ?? 0) + 1),
    'base64url',
  )
  if ((!isNameless && !name) || bytes.length < nonceBytes + tagBytes)
    throw new Error(`The secret at ${place} is not one of ours`)
  const ring = Buffer.isBuffer(key) ? [key] : [key.current, ...key.others]
  for (const candidate of ring) {
    if (name && keyName(candidate) !== name) continue
    const text = decrypted(candidate, bytes, place)
    if (text !== undefined) return text
  }
  throw new Error(`The secret at ${place} cannot be opened with this key`)
}

function decrypted(key: Buffer, bytes: Buffer, place: string): string | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  }).setAAD(Buffer.from(place))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  try {
    return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}

/** Where keys come from. */
export type KeySource = Pick<Config, 'secretKey' | 'otherKeys' | 'dataDir'>

/**
 * The keys of SECRET_KEY and SECRET_KEY_OTHER, else those kept in the data directory (made on first use, readable by its owner alone).
 * Ask for them anew for every piece of work: a rotation changes the file under a running app. Throws on a weak key.
 */
export function secretKey(config: KeySource): Keys {
  const { current, others } = config.secretKey ? { current: config.secretKey, others: [] } : readKeyFile(config.dataDir)
  return {
    current: keyOf(current, 'SECRET_KEY'),
    others: [...others.map(({ key }) => key), ...config.otherKeys].map((text) => keyOf(text, 'SECRET_KEY_OTHER')),
  }
}

function keyOf(text: string, name: string): Buffer {
  const key = Buffer.from(text, 'base64')
  // Thirty-two random bytes hold about thirty distinct ones; a sample or typed key holds few.
  if (key.length !== 32 || new Set(key).size < 16)
    throw new Error(`${name} must be 32 random bytes in base64, such as \`openssl rand -base64 32\` prints`)
  return key
}
