import { createHmac, randomInt } from 'node:crypto'
import { type Key, open, seal } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'

const letters = 'abcdefghijkmnpqrstuvwxyz'
const alphabet = `${letters}ABCDEFGHJKLMNPQRSTUVWXYZ23456789`
const usernameLength = 12
const passwordLength = 14

/** Where a line's password is kept: sealed for one customer's line, it opens in no other. */
export const passwordPlace = sealedColumns.linePassword.place

/** The name of a customer's line, always the same under one key: a call sent twice meets its own line instead of making a second one. */
export function usernameFor(key: Key, userId: number): string {
  const digest = createHmac('sha256', Buffer.isBuffer(key) ? key : key.current)
    .update(`line:${userId}`)
    .digest()
  const symbols = `${letters}23456789`
  // It begins with a letter: some panels take a name of digits for a number.
  return Array.from(digest.subarray(0, usernameLength), (byte, i) =>
    i === 0 ? letters[byte % letters.length] : symbols[byte % symbols.length],
  ).join('')
}

/** Letters and digits that nobody confuses and no address has to escape: panels put passwords into paths. */
export const generatePassword = (): string =>
  Array.from({ length: passwordLength }, () => alphabet[randomInt(alphabet.length)]).join('')

/** A password sealed for a customer's line. */
export const sealPassword = (key: Key, userId: number, password: string): string =>
  seal(key, password, passwordPlace(userId))
/** The password again. Throws when it was sealed for another line or with another key. */
export const openPassword = (key: Key, userId: number, sealed: string): string =>
  open(key, sealed, passwordPlace(userId))
