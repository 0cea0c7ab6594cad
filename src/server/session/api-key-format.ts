import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** How an API key begins, so that people and secret scanners recognize it. */
const marker = 'sauce_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 40
const checkLength = 6
const shape = new RegExp(`^${marker}[0-9A-Za-z]{${randomLength + checkLength}}$`)

/** Returns a new API key: the marker, 40 random characters (238 bits), and the check part. */
export function newApiKey(): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return marker + random + checkOf(random)
}

/** Whether a text has the form of an API key and the right check part. Mistyped and cut keys need no query. */
export function isWellFormedKey(text: string): boolean {
  const random = text.slice(marker.length, marker.length + randomLength)
  return shape.test(text) && text.endsWith(checkOf(random))
}

/** The part of an API key that is shown in lists: 4 of its 40 random characters. */
export const prefixOf = (key: string): string => key.slice(0, marker.length + 4)

/**
 * The API key in an Authorization header; undefined without a header that begins like one. What follows is not checked: a request with a broken key
 * must be refused instead of using its cookies.
 */
export function apiKeyIn(authorization: string | null): string | undefined {
  const [, token] = /^bearer +(.*)$/i.exec(authorization ?? '') ?? []
  return token?.toLowerCase().startsWith(marker) ? token : undefined
}

/** The CRC-32 of the random part in base 62. */
function checkOf(random: string): string {
  let rest = crc32(random)
  let check = ''
  while (check.length < checkLength) {
    check = alphabet[rest % alphabet.length]! + check
    rest = Math.floor(rest / alphabet.length)
  }
  return check
}
