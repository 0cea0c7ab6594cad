import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'

const version = 'v1:'
const nonceBytes = 12
const tagBytes = 16

/** Encrypts a text (AES-256-GCM, random nonce). `aad` names its place, `table:id:column`: moved elsewhere it cannot be opened. */
export function seal(key: Buffer, value: string, aad: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(aad))
  const sealed = Buffer.concat([nonce, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return version + sealed.toString('base64url')
}

/** The text again. Throws when the key, the place or a single bit is another. */
export function open(key: Buffer, sealed: string, aad: string): string {
  const bytes = Buffer.from(sealed.slice(version.length), 'base64url')
  if (!sealed.startsWith(version) || bytes.length < nonceBytes + tagBytes) throw new Error(`The secret at ${aad} is not one of ours`)
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes }).setAAD(Buffer.from(aad))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  try {
    return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    throw new Error(`The secret at ${aad} cannot be opened with this key`)
  }
}

/** The key of SECRET_KEY, else the one kept in the data directory (made on first use, readable by its owner alone). Throws on a weak key. */
export function secretKey(config: Pick<Config, 'secretKey' | 'dataDir'>): Buffer {
  const key = Buffer.from(config.secretKey ?? keptKey(config.dataDir), 'base64')
  // Thirty-two random bytes hold about thirty distinct ones; a sample or typed key holds few.
  if (key.length !== 32 || new Set(key).size < 16) throw new Error('SECRET_KEY must be 32 random bytes in base64, such as `openssl rand -base64 32` prints')
  return key
}

function keptKey(dataDir: string): string {
  const file = join(dataDir, 'secret.key')
  const made = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(made, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    // A link, unlike a rename, fails when another process was first: both then read the same key.
    linkSync(made, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(made)
  }
  return readFileSync(file, 'utf8').trim()
}
