import { createHmac, randomInt } from 'node:crypto'
import { type KeyOrRing, open, seal } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'

const letters = 'abcdefghijkmnpqrstuvwxyz'
const alphabet = `${letters}ABCDEFGHJKLMNPQRSTUVWXYZ23456789`
const usernameLength = 12
const passwordLength = 14

/** The encryption context of a line's password: it can be decrypted only for the same customer. */
export const passwordContext = sealedColumns.linePassword.context

/** The username of a customer's line. It is derived from the key and the customer, so a repeated request cannot create a second line. */
export function usernameFor(key: KeyOrRing, userId: number): string {
  const digest = createHmac('sha256', Buffer.isBuffer(key) ? key : key.current)
    .update(`line:${userId}`)
    .digest()
  const symbols = `${letters}23456789`
  // The first character is a letter: some panels read a username that consists of digits as a number.
  return Array.from(digest.subarray(0, usernameLength), (byte, i) =>
    i === 0 ? letters[byte % letters.length] : symbols[byte % symbols.length],
  ).join('')
}

/** Generates a random password of letters and digits that are hard to confuse and need no escaping: panels put passwords into URLs. */
export const generatePassword = (): string =>
  Array.from({ length: passwordLength }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Encrypts a password for a customer's line. */
export const sealPassword = (key: KeyOrRing, userId: number, password: string): string =>
  seal(key, password, passwordContext(userId))
/** Decrypts a password. Throws when it was encrypted for another line or with another key. */
export const openPassword = (key: KeyOrRing, userId: number, sealed: string): string =>
  open(key, sealed, passwordContext(userId))
