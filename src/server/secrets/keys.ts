import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import { readKeyFile } from './key-file.ts'
import type { SealContext } from './sealed-columns.ts'

const version = 'v2:'
/** The prefix of the format before keys had names. Every key is tried for such values. */
const namelessVersion = 'v1:'
const nonceBytes = 12
const tagBytes = 16

/** A key ring: the current key encrypts and decrypts, the others only decrypt, during a rotation. */
export type KeyRing = { readonly current: Buffer; readonly others: readonly Buffer[] }
/** A single key or a key ring. */
export type KeyOrRing = Buffer | KeyRing

/** Returns the key that encrypts. */
export const currentOf = (key: KeyOrRing): Buffer => (Buffer.isBuffer(key) ? key : key.current)

/** Returns the name of a key: twelve hexadecimal digits, which are part of every value that the key sealed. They do not reveal the key. */
export const keyName = (key: Buffer): string =>
  createHmac('sha256', key).update('the name of a key').digest('hex').slice(0, 12)

/** Derives the key that signs backups. */
export const backupKey = (key: Buffer): Buffer => createHmac('sha256', key).update('authenticates backups').digest()

/** Returns the prefix of all values sealed with this key. */
export const sealedPrefix = (key: KeyOrRing): string => `${version}${keyName(currentOf(key))}:`

/**
 * Encrypts a string with the current key (AES-256-GCM, random nonce). `context` is authenticated as additional data, usually `table:id:column`:
 * the value cannot be decrypted with another context. Add new contexts to `sealed-columns.ts`, so that key rotation includes them.
 */
export function seal(key: KeyOrRing, value: string, context: SealContext): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', currentOf(key), nonce, { authTagLength: tagBytes }).setAAD(
    Buffer.from(context),
  )
  const sealed = Buffer.concat([nonce, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return sealedPrefix(key) + sealed.toString('base64url')
}

/** Decrypts a sealed value with the key of the ring that sealed it. Throws if the key is missing, the context differs or the value was changed. */
export function open(key: KeyOrRing, sealed: string, context: string): string {
  const isNameless = sealed.startsWith(namelessVersion)
  const name = isNameless ? undefined : /^v2:([0-9a-f]{12}):/.exec(sealed)?.[1]
  const bytes = Buffer.from(
    sealed.slice(isNameless ? namelessVersion.length : version.length + (name?.length ?? 0) + 1),
    'base64url',
  )
  if ((!isNameless && !name) || bytes.length < nonceBytes + tagBytes)
    throw new Error(`The secret at ${context} has an unknown format`)
  const ring = Buffer.isBuffer(key) ? [key] : [key.current, ...key.others]
  for (const candidate of ring) {
    if (name && keyName(candidate) !== name) continue
    const text = decrypted(candidate, bytes, context)
    if (text !== undefined) return text
  }
  throw new Error(`The secret at ${context} cannot be opened with this key`)
}

function decrypted(key: Buffer, bytes: Buffer, context: string): string | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  }).setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  try {
    return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}

/** The settings that keys are read from. */
export type KeySource = Pick<Config, 'secretKey' | 'otherKeys' | 'dataDir'>

/**
 * Returns the keys of SECRET_KEY and SECRET_KEY_OTHER, or those in the data directory (created on first use). Call it for every operation
 * and do not cache the result, because a rotation changes the file while the app runs. Throws on a weak key.
 */
export function secretKey(config: KeySource): KeyRing {
  const { current, others } = config.secretKey ? { current: config.secretKey, others: [] } : readKeyFile(config.dataDir)
  return {
    current: keyOf(current, 'SECRET_KEY'),
    others: [...others.map(({ key }) => key), ...config.otherKeys].map((text) => keyOf(text, 'SECRET_KEY_OTHER')),
  }
}

function keyOf(text: string, name: string): Buffer {
  const key = Buffer.from(text, 'base64')
  // 32 random bytes have about 30 distinct values; an example or typed key has few.
  if (key.length !== 32 || new Set(key).size < 16)
    throw new Error(`${name} must be 32 random bytes in base64, for example from \`openssl rand -base64 32\``)
  return key
}
